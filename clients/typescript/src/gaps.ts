import { utf8 } from "./base64.js";
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

/** A call that puts facts on record. */
interface Filling {
  operation: string;
  request: object;
  /** The fields of each person for which the request of person.create has no room. */
  rest?: object[];
  /** The questions, by the path of the answer in the request. */
  asked?: Map<string, Question>;
}

/**
 * Limits how often records are created again. Gaps that stay after records were created mean that the service has answered for
 * earlier ones, which were deleted since. A key with the next number creates new ones.
 */
const MAX_NUMBER = 9;

const CALCULATE_PRICING = "workflow.pricing.calculate";

/** The most bytes of a request that the service takes. */
const MAX_REQUEST = 64 << 10;

/** See Client.fillGaps. */
export async function fillGaps(client: Client, workflow_id: string, ask: Ask, options: GapOptions): Promise<Answer<Empty>> {
  let before = "", calls: Filling[] = [];
  for (let number = 0; ;) {
    try {
      return await client.call("workflow.requiredDocument.calculate", { workflow_id }, options);
    } catch (error) {
      if (!(error instanceof RequisiteError) || error.gaps.length === 0) throw error;
      const now = JSON.stringify(error.gaps);
      if (now === before) {
        calls = calls.filter(creates);
        if (number === MAX_NUMBER || calls.length === 0) throw error;
        number++;
      } else {
        [before, number] = [now, 0];
        calls = await fill(workflow_id, error.gaps, ask);
      }
    }
    for (const one of calls) await fillOne(client, one, number, options);
  }
}

function creates({ operation }: Filling): boolean {
  return operation.endsWith(".create");
}

async function fillOne(client: Client, one: Filling, number: number, options: GapOptions): Promise<void> {
  const { operation, request, rest = [] } = one;
  const day = options.sandboxToday ? `-${options.sandboxToday}` : ""; // a key belongs to one day
  const idempotencyKey = creates(one) ? `fill-gaps-${number}-${await hash(request)}${day}` : undefined;
  let data: unknown;
  try {
    ({ data } = await client.callUntyped(operation, request, { ...options, idempotencyKey }));
  } catch (error) {
    // What is on record now asks for more: the next calculation tells it.
    if (operation === CALCULATE_PRICING && error instanceof RequisiteError && error.gaps.length > 0) return;
    throw blamed(error, one, (field) => field);
  }
  const made = rest.length > 0 ? (data as { person_ids: string[] }).person_ids : [];
  for (const [i, person] of rest.entries()) { // after an error, gaps tell which persons lack them
    const person_id = made[i];
    if (person_id === undefined || Object.keys(person).length === 0) continue;
    try {
      await client.callUntyped("person.update", { person_id, person }, options);
    } catch (error) {
      if (error instanceof RequisiteError && error.code === "ENTITY_NOT_FOUND") return; // deleted since: the gaps come back
      throw blamed(error, one, (field) => field.replace(/^person/, `persons[${i}]`));
    }
  }
}

/** A refusal with the answers that it is about. at is where the fields of the request are in asked. */
function blamed(error: unknown, { asked }: Filling, at: (field: string) => string): unknown {
  if (!(error instanceof RequisiteError)) return error;
  const answers = error.problems.flatMap((problem) => {
    for (let field = at(problem.field); field !== ""; field = field.replace(/(^|[.[])[^.[]*$/, "")) {
      const question = asked?.get(field);
      if (question) return [{ question, problem }];
    }
    return [];
  });
  return error.about(answers);
}

async function hash(request: object): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", utf8(JSON.stringify(request)));
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The call that puts all persons of a business on record. If it had only some of them, no gap would tell of the others. So a request
 * that is too large has the names alone.
 */
function putPersons(business_id: string | undefined, persons: object[], asked: Map<string, Question>): Filling {
  const whole: Filling = { operation: "person.create", request: { business_id, persons }, asked };
  if (fits(whole)) return whole;
  const isName = ([field]: [string, unknown]) => field === "first_name" || field === "last_name";
  const names = persons.map((person) => Object.fromEntries(Object.entries(person).filter(isName)));
  const rest = persons.map((person) => Object.fromEntries(Object.entries(person).filter((entry) => !isName(entry))));
  const named: Filling = { operation: "person.create", request: { business_id, persons: names }, rest, asked };
  if (fits(named)) return named;
  throw new RangeError("the names of the persons do not fit into one request: put the persons on record before, with person.create");
}

function fits({ request }: Filling): boolean {
  return utf8(JSON.stringify(request)).byteLength <= MAX_REQUEST;
}

/** Asks for everything, and returns the calls that put it on record. */
async function fill(workflow_id: string, gaps: Gap[], ask: Ask): Promise<Filling[]> {
  const score = gaps.find((gap) => gap.code === "CALCULATED_PRICING_REQUIRED");
  const words = new Map<string, Partial<MissingField>>(); // the first entry of a field alone has them
  const records = new Map<string, Gap[]>();
  for (const gap of [...gaps, ...(score?.pricing_missing ?? [])]) {
    if (gap === score) continue;
    const key = [gap.entity_id, ...gap.related_endpoints].join();
    records.set(key, [...(records.get(key) ?? []), gap]);
  }
  const calls: Filling[] = [];
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
    const count = save === "person.create" ? await countPersons(gap, ask) : 1;
    const filled: object[] = []; // one record, or each person
    const asked = new Map<string, Question>();
    for (let person = 0; person < count; person++) {
      const fields: Record<string, unknown> = {};
      for (const m of [...present, ...missing.values()]) {
        words.set(m.field, { ...words.get(m.field), ...only(m) });
        const [field, part] = m.field.split(".") as [string, string?]; // such as custom and legal_form
        const amounts = (fields[field] as object[] | undefined) ?? [];
        const question = { ...words.get(m.field), ...m, gap, person };
        const value = m.value ?? (await ask(question));
        const path = save === "person.create" ? `persons[${person}]` : name;
        if (m.value === undefined) asked.set(`${path}.${m.field}${m.type ? `[${amounts.length}]` : ""}`, question);
        if (m.type) fields[field] = [...amounts, { type: m.type, value, currency: m.currency }];
        else fields[field] = part ? { ...(fields[field] as object | undefined), [part]: value } : value;
      }
      filled.push(fields);
    }
    if (count === 0) {
      const asked = new Map([["business.no_persons_attested", howMany(gap)]]);
      calls.push({ operation: "business.update", request: { business_id, business: { no_persons_attested: true } }, asked });
    }
    else if (save === "person.create") calls.push(putPersons(business_id, filled, asked));
    else {
      const owner = business_id ? { business_id } : { [name + "_id"]: entity_id };
      calls.push({ operation: save, request: { ...owner, ...(delete_first ? { replaces: delete_first } : {}), [name]: filled[0] }, asked });
    }
  }
  if (score) calls.push({ operation: CALCULATE_PRICING, request: { workflow_id } });
  return calls;
}

/** The words of a field, where an entry has them. */
function only({ label, ask, choices }: MissingField): Partial<MissingField> {
  return { ...(label === undefined ? {} : { label }), ...(ask === undefined ? {} : { ask }), ...(choices === undefined ? {} : { choices }) };
}

function howMany(gap: Gap): Question {
  return { field: "persons", value_type: "NUMBER", label: "number of persons", ask: "How many persons does the business have?", gap, person: 0 };
}

async function countPersons(gap: Gap, ask: Ask): Promise<number> {
  const count = await ask(howMany(gap));
  if (!Number.isInteger(count) || (count as number) < 0) throw new TypeError("the answer to persons is how many there are");
  return count as number;
}
