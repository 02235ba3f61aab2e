import type { Answer, CallOptions, Client } from "./client.js";
import { RequisiteError } from "./errors.js";
import type { Empty, Gap, MissingField } from "./generated.js";

/** What fillGaps asks for: the value of a missing field, or how many persons the business has. */
export interface Question extends MissingField {
  /** The gap that the field is of: which record it is about. */
  gap: Gap;
  /** Which person of a business whose persons are put on record: 0 for the first. It is 0 for every other record. */
  person: number;
}

/**
 * Answers a question, from a form or a person. For the field persons, which fillGaps asks before it puts persons on record,
 * answer how many there are; 0 attests that there is nobody. What it throws ends fillGaps before it has written anything.
 */
export type Ask = (question: Question) => unknown;

export type GapOptions = Omit<CallOptions, "idempotencyKey" | "sandboxAnswer">;

/** See Client.fillGaps. */
export async function fillGaps(client: Client, workflow_id: string, ask: Ask, options: GapOptions): Promise<Answer<Empty>> {
  for (let before = ""; ;) {
    try {
      return await client.call("workflow.requiredDocument.calculate", { workflow_id }, options);
    } catch (error) {
      const now = error instanceof RequisiteError && error.gaps.length > 0 ? JSON.stringify(error.gaps) : before;
      if (now === before) throw error; // no gap, or what was filled in has closed none
      before = now;
      await fill(client, workflow_id, (error as RequisiteError).gaps, ask, options);
    }
  }
}

async function fill(client: Client, workflow_id: string, gaps: Gap[], ask: Ask, options: GapOptions): Promise<void> {
  const score = gaps.find((gap) => gap.code === "CALCULATED_PRICING_REQUIRED");
  const words = new Map<string, Partial<MissingField>>(); // the first entry of a field alone has them
  const records = new Map<string, Gap[]>();
  for (const gap of [...gaps, ...(score?.pricing_missing ?? [])]) {
    if (gap === score) continue;
    const key = [gap.entity_id, ...gap.related_endpoints].join();
    records.set(key, [...(records.get(key) ?? []), gap]);
  }
  const calls: Array<[operation: string, request: object]> = []; // everything is asked for before the first
  for (const record of records.values()) {
    const gap = record[0] as Gap;
    const { entity_id, business_id, delete_first, present = [], related_endpoints } = gap;
    const save = related_endpoints.at(-1) as string; // such as business.salesInfo.create
    const name = (save.split(".").at(-2) as string).replace(/[A-Z]/g, (c) => "_" + c.toLowerCase()); // such as sales_info
    const missing = new Map<string, MissingField>();
    for (const m of record.flatMap((one) => one.missing)) {
      const key = `${m.field} ${m.type}`;
      if (!missing.has(key)) missing.set(key, m);
    }
    const count = save === "person.create" ? await persons(gap, ask) : 1;
    for (let person = 0; person < count; person++) {
      const fields: Record<string, unknown> = {};
      for (const m of [...present, ...missing.values()]) {
        words.set(m.field, { ...words.get(m.field), ...only(m) });
        const value = m.value ?? (await ask({ ...words.get(m.field), ...m, gap, person }));
        const [field, part] = m.field.split(".") as [string, string?]; // such as custom and legal_form
        if (m.type) fields[field] = [...((fields[field] as object[] | undefined) ?? []), { type: m.type, value, currency: m.currency }];
        else fields[field] = part ? { ...(fields[field] as object | undefined), [part]: value } : value;
      }
      const request = { ...(business_id ? { business_id } : { [name + "_id"]: entity_id }), [name]: fields };
      if (delete_first) {
        calls.push([save, { ...request, validate_only: true }], [related_endpoints[0] as string, { [name + "_id"]: delete_first }]);
      }
      calls.push([save, request]);
    }
    if (count === 0) calls.push(["business.update", { business_id, business: { no_persons_attested: true } }]);
  }
  if (score) calls.push(["workflow.pricing.calculate", { workflow_id }]);
  const made: string[] = []; // persons
  for (const [operation, request] of calls) {
    try {
      const { data } = await client.callUntyped(operation, request, options);
      if (operation === "person.create") made.push((data as { person_id: string }).person_id);
    } catch (error) {
      if (operation === "person.create" && error instanceof RequisiteError) { // if some persons stayed, no gap would tell of the others
        for (const person_id of made) await client.call("person.delete", { person_id }, options);
      }
      throw error;
    }
  }
}

/** The words of a field, where an entry has them. */
function only({ label, ask, choices }: MissingField): Partial<MissingField> {
  return { ...(label === undefined ? {} : { label }), ...(ask === undefined ? {} : { ask }), ...(choices === undefined ? {} : { choices }) };
}

async function persons(gap: Gap, ask: Ask): Promise<number> {
  const count = await ask({ field: "persons", value_type: "NUMBER", label: "number of persons", ask: "How many persons does the business have?", gap, person: 0 });
  if (!Number.isInteger(count) || (count as number) < 0) throw new TypeError("the answer to persons is how many there are");
  return count as number;
}
