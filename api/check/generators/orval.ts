import { businessCreate, type BusinessCreateRequest, type WorkflowCompletedContent } from "./orval/api.js";
const body: BusinessCreateRequest = { account_id: "sb_1", business: { legal_name: "Alder Works Ltd", website: null } };
// @ts-expect-error: a field that does not exist
body.legal_name = "";
export async function read(): Promise<string> {
  const answer = await businessCreate(body, { headers: {} });
  if (answer.status !== 200) return answer.data.errors[0]?.code ?? "";
  return answer.data.data.business_id;
}
export const state: WorkflowCompletedContent["state"] = "ENDED";
// @ts-expect-error: a value that does not exist
export const wrong: WorkflowCompletedContent["state"] = "OVER";
