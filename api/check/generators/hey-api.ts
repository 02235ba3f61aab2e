import { businessCreate, type BusinessCreateRequest, type WorkflowCompletedContent } from "./hey/index.js";
const body: BusinessCreateRequest = { account_id: "sb_1", business: { legal_name: "Alder Works Ltd", website: null } };
// @ts-expect-error: a field that does not exist
body.legal_name = "";
export async function read(): Promise<string> {
  const { data, error } = await businessCreate({ body });
  const problem = error?.errors[0];
  if (problem?.code === "BAD_REQUEST" && "details" in problem) return problem.details.map((d) => d.field).join();
  return data?.data.business_id ?? "";
}
export const state: WorkflowCompletedContent["state"] = "ENDED";
// @ts-expect-error: a value that does not exist
export const wrong: WorkflowCompletedContent["state"] = "OVER";
