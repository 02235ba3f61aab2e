import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type Ask } from "../src/index.js";

const FAULTS = ["unreached", "overload", "unanswered", "aborted", "late"] as const;

/**
 * What happens to a request: it does not arrive; it is answered 503; it takes effect, and its answer is lost; the caller gives up
 * while it takes effect; the same, and it takes effect just before the next request that writes.
 */
type Fault = (typeof FAULTS)[number];

type Fields = Record<string, unknown>;

/** A service with one application, as far as gaps go. A fault may strike each request. */
class Office {
  facts: Fields = {};
  amounts: Fields = { AVERAGE_MONTHLY_CREDIT_SALES: 60000 };
  sales = 0; // the number of the sales info record
  persons: Fields[] = []; // p_0, p_1 and so on
  deleted = 0; // persons that were deleted
  scored = false;
  outcomes = new Map<string, { body: string; answer: object }>(); // of Idempotency-Keys
  strike: () => Fault | undefined = () => undefined;
  late: () => unknown = () => undefined; // serves a request that was late
  stop = new AbortController(); // ends the program

  constructor(readonly owners: number, readonly note: number) {}

  /** Runs the program once. Returns what it throws. */
  async run(): Promise<unknown> {
    this.stop = new AbortController();
    const client = new Client({
      baseUrl: "https://api.example.com", apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "token", retry: { attempts: 2, wait: 0 },
      fetch: async (url, init) => this.fetch(String(url).split("/").at(-1) ?? "", init?.headers as Record<string, string>, new TextDecoder().decode(init?.body as Uint8Array)),
    });
    return client.fillGaps("w_1", this.form, { signal: this.stop.signal }).then(() => undefined, (error: unknown) => error);
  }

  async fetch(operation: string, headers: Record<string, string>, body: string): Promise<Response> {
    const serve = () => this.serve(operation, headers["idempotency-key"] ?? "", body);
    const fault = this.strike();
    if (fault === "unreached") throw new TypeError("fetch failed");
    if (fault === "overload") return Response.json({ meta: {}, errors: [{ code: "UNAVAILABLE", message: "m" }] }, { status: 503 });
    if (fault === "late") this.late = serve;
    const response = fault === "late" ? undefined : serve();
    if (fault === "late" || fault === "aborted") this.stop.abort();
    if (fault || !response) throw new TypeError("terminated");
    return response;
  }

  serve(operation: string, key: string, body: string): Response {
    assert.ok(Buffer.byteLength(body) <= 64 << 10, `${operation} has ${Buffer.byteLength(body)} bytes`);
    if (operation === "workflow.requiredDocument.calculate") {
      const details = this.gaps();
      if (details.length > 0) return Response.json({ meta: {}, errors: [{ code: "MISSING_REQUIREMENTS", message: "m", details }] }, { status: 400 });
      return Response.json({ meta: {}, data: {} });
    }
    const arrived = this.late;
    this.late = () => undefined;
    arrived();
    const before = this.outcomes.get(`${key} ${operation}`);
    if (before) {
      assert.equal(body, before.body, `${operation}: another body has the key`);
      return Response.json(before.answer);
    }
    const data = this.write(operation, JSON.parse(body) as Fields);
    if (!data) return Response.json({ meta: {}, errors: [{ code: "ENTITY_NOT_FOUND", message: "m" }] }, { status: 400 });
    const answer = { meta: {}, data };
    this.outcomes.set(`${key} ${operation}`, { body, answer });
    return Response.json(answer);
  }

  write(operation: string, request: Fields): object | undefined {
    switch (operation) {
      case "workflow.update":
        Object.assign(this.facts, (request["workflow"] as { custom: Fields }).custom);
        return {};
      case "business.salesInfo.create":
        if (request["replaces"] !== `bsi_${this.sales}`) return undefined;
        this.sales++;
        this.amounts = Object.fromEntries((request["sales_info"] as { sales_amount: Fields[] }).sales_amount.map(({ type, value }) => [type, value]));
        return {};
      case "person.create": {
        const persons = request["persons"] as Fields[];
        const first = this.deleted + this.persons.length;
        this.persons.push(...persons);
        return { person_ids: persons.map((_, i) => `p_${first + i}`) };
      }
      case "person.update": {
        const person = this.person(request["person_id"] as string);
        return person && Object.assign(person, request["person"]);
      }
      case "workflow.pricing.calculate":
        this.scored = "sells" in this.facts;
        return {};
    }
    return assert.fail(`${operation} is not needed`);
  }

  person(id: string): Fields | undefined {
    return id.startsWith("p_") ? this.persons[Number(id.slice(2)) - this.deleted] : undefined;
  }

  gaps(): object[] {
    const gap = (entity_type: string, entity_id: string, related_endpoints: string[], missing: object[], more: object = {}) =>
      ({ code: "FIELDS_REQUIRED", entity_type, entity_id, message: "m", related_endpoints, missing, ...more });
    const field = (name: string, value_type: string) => ({ field: name, value_type });
    const amount = (type: string) => ({ ...field("sales_amount", "AMOUNT"), type, currency: "USD" });
    const texts = (...names: string[]) => names.map((name) => field(name, "TEXT"));
    const gaps: object[] = [];
    if (!("first_sale" in this.facts)) gaps.push(gap("Workflow", "w_1", ["workflow.update"], [field("custom.first_sale", "DATE")]));
    if (Object.keys(this.amounts).length === 1) {
      const id = `bsi_${this.sales}`, present = Object.entries(this.amounts).map(([type, value]) => ({ ...amount(type), value }));
      gaps.push(gap("BusinessSalesInfo", id, ["business.salesInfo.delete", "business.salesInfo.create"], [amount("HIGHEST_TICKET_SALE")],
        { business_id: "b_1", delete_first: id, present }));
    }
    if (this.persons.length === 0) {
      gaps.push(gap("Person", "b_1", ["person.create"], texts("first_name", "last_name", "citizenship", "custom.note"), { business_id: "b_1" }));
    }
    for (const [i, person] of this.persons.entries()) {
      const missing = ["citizenship", "custom.note"].filter((name) => !(name.split(".")[0] as string in person));
      if (missing.length > 0) gaps.push(gap("Person", `p_${this.deleted + i}`, ["person.update"], texts(...missing)));
    }
    if (!this.scored) {
      const pricing_missing = "sells" in this.facts ? [] : [gap("Workflow", "w_1", ["workflow.update"], [field("custom.sells", "BOOLEAN")])];
      gaps.push({ ...gap("Workflow", "w_1", ["workflow.pricing.calculate"], [], { pricing_missing }), code: "CALCULATED_PRICING_REQUIRED" });
    }
    return gaps;
  }

  /** Answers for the owners, each with a long note. */
  form: Ask = ({ field, gap, person }) => {
    const onRecord = this.person(gap.entity_id);
    const of = onRecord ? Number((onRecord["first_name"] as string).slice(6)) : person;
    return {
      persons: this.owners, first_name: `Owner ${of}`, last_name: "Lie", citizenship: `N${of}`, "custom.note": "n".repeat(this.note) + of,
      sales_amount: 98.5, "custom.sells": false, "custom.first_sale": "2026-01-02",
    }[field];
  };

  onFile(): object {
    const { facts, amounts, sales, persons, scored } = this;
    return { facts, amounts, sales, persons, scored };
  }
}

/** Numbers below a bound, always the same for a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SIZES = [[3, 5], [4, 17_000]] as const; // the second does not fit into one request

test("gaps are filled once, although the program fails at any of its requests and runs again", async () => {
  for (const [owners, note] of SIZES) {
    const whole = new Office(owners, note);
    let requests = 0;
    whole.strike = () => void requests++;
    assert.equal(await whole.run(), undefined);
    const first = requests * FAULTS.length; // each fault at each request, and then random ones
    for (let seed = 0; seed < first + 60; seed++) {
      const office = new Office(owners, note), random = numbers(seed);
      for (let runs = 0, failed: unknown = true; failed; runs++) {
        let at = random(2 * requests), kind = FAULTS[random(FAULTS.length)];
        if (seed < first && runs === 0) [at, kind] = [seed % requests, FAULTS[Math.floor(seed / requests)]];
        const lasts = random(2) === 0; // until the program ends; otherwise a retry mends it
        let came = 0;
        office.strike = () => {
          came++;
          if (came === at + 1) return kind;
          return came > at + 1 && lasts ? "unreached" : undefined;
        };
        failed = await office.run();
        const told = `seed ${seed}, run ${runs}, ${String(failed)}`;
        assert.ok([0, owners].includes(office.persons.length), `${told}: ${office.persons.length} persons are on record`);
        assert.equal(office.amounts["AVERAGE_MONTHLY_CREDIT_SALES"], 60000, told);
        assert.ok(runs < 100, told);
      }
      assert.deepEqual(office.onFile(), whole.onFile(), `seed ${seed}`);
    }
  }
});

test("deleted persons are created again, although the service answers for the deleted ones at first", async () => {
  for (const [owners, note] of SIZES) {
    const office = new Office(owners, note);
    for (let i = 0; i < 4; i++) {
      assert.equal(await office.run(), undefined);
      assert.equal(office.persons.length, owners);
      office.deleted += owners;
      office.persons = [];
    }
  }
});
