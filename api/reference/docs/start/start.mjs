// Step 2: read your account.
import { Client, RequisiteError } from "requisite-client";

const { BASE_URL = "", ACCOUNT_ID: account_id = "", API_KEY = "", SECRET_KEY = "", AUTH_TOKEN = "" } = process.env;
const client = new Client({ baseUrl: BASE_URL, apiKey: API_KEY, secretKey: SECRET_KEY, authToken: AUTH_TOKEN });
const account = await client.call("account.get", { account_id });
console.log("Account:", account.data.name);

// Step 3: record an applicant, and open a workflow, which is an application.
const { currency } = account.data;
const business = await client.call("business.create", {
  account_id,
  business: { legal_name: "Alder Works Ltd", established_date: "2010-06-15", industry_category_code: ["0742"] },
  persons: [{ first_name: "Ida", last_name: "Berg", citizenship: "NO", ownership_percentage: 33.33 }],
  sales_info: {
    sales_amount: [
      { type: "AVERAGE_INDIVIDUAL_SALE", value: 120, currency },
      { type: "AVERAGE_MONTHLY_CREDIT_SALES", value: 100000, currency },
      { type: "AVERAGE_YEARLY_CREDIT_SALES", value: 1200000, currency },
      { type: "HIGHEST_TICKET_SALE", value: 900, currency },
    ],
  },
});
const workflow = await client.call("workflow.create", { account_id, workflow: { business_id: business.data.business_id } });
const { workflow_id } = workflow.data;
console.log("Workflow:", workflow_id);

// Step 4: decide which documents it requires, and read why. Or learn which facts are missing.
try {
  await client.call("workflow.pricing.calculate", { workflow_id }); // only if the rules use the evaluation score
  await client.call("workflow.requiredDocument.calculate", { workflow_id });
} catch (error) {
  if (!(error instanceof RequisiteError) || error.code !== "MISSING_REQUIREMENTS") throw error;
  for (const gap of error.gaps) console.log("Missing:", gap.message);
}
for await (const document of client.all("workflow.requiredDocument.list", { workflow_id })) {
  console.log("Required:", document.name, "-", document.reasons[0]?.message);
}

// Step 5: end the workflow, and receive its webhook. The receiver verifies, decrypts and drops repeats.
import { once } from "node:events";
import { createServer } from "node:http";
import { MemoryProcessed, Receiver } from "requisite-client";

const { PORT, WEBHOOK_URL = "" } = process.env;
const secrets = new Map();
const receiver = new Receiver({
  secrets: (accountId, keyId) => secrets.get(`${accountId}/${keyId}`), // keep them where only your receivers can read
  processed: new MemoryProcessed(), // in production, a table: it remembers the ids of events that were processed
  handle: async (event) => {
    console.log("Received:", event.event_type, event.data);
    server.emit("received");
  },
});
const server = createServer(receiver.listener).listen(Number(PORT), "127.0.0.1");
const received = once(server, "received");
const { data: key } = await client.call("webhook.key.create", { account_id }); // throws SecretLost if an answer with the secret was lost
secrets.set(`${account_id}/${key.key_id}`, key.shared_secret); // shown this once: store it before you activate the key
await client.call("webhook.key.activate", { account_id, key_id: key.key_id });
const config = await client.call("webhook.config.create", { account_id, config: { url: WEBHOOK_URL, event_types: ["WORKFLOW_COMPLETED"] } });
await client.call("workflow.complete", { workflow_id });
await received;
await client.call("webhook.config.delete", { config_id: config.data.config_id });
server.close();
