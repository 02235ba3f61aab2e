import type { paths, webhooks, components } from "./openapi.js";
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
type Call = paths["/business.create"]["post"];
const request: Json<NonNullable<Call["requestBody"]>> = { account_id: "sb_1", business: { legal_name: "Alder Works Ltd", website: null } };
// @ts-expect-error: a field that does not exist
request.legal_name = "";
export function read(answer: Json<Call["responses"][200]>, refused: Json<Call["responses"][400]>): string {
  const problem = refused.errors[0];
  if (problem?.code === "BAD_REQUEST") return problem.details.map((d) => d.field).join();
  return answer.data.business_id;
}
export type Event = Json<NonNullable<webhooks["WORKFLOW_COMPLETED"]["post"]["requestBody"]>>;
export const state: components["schemas"]["WorkflowCompletedContent"]["state"] = "ENDED";
// @ts-expect-error: a value that does not exist
export const wrong: components["schemas"]["WorkflowCompletedContent"]["state"] = "OVER";
