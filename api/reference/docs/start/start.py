# Step 2: read your account.
import os
import requisite

account_id = os.environ["ACCOUNT_ID"]
client = requisite.Client(os.environ["BASE_URL"], os.environ["API_KEY"], os.environ["SECRET_KEY"], os.environ["AUTH_TOKEN"])
account = client.account_get(account_id=account_id)
print("Account:", account.data["name"])

# Step 3: record an applicant, and open a workflow, which is an application.
currency = account.data["currency"]
business = client.business_create(
    account_id=account_id,
    business={"legal_name": "Alder Works Ltd", "established_date": "2010-06-15", "industry_category_code": ["0742"]},
    persons=[{"first_name": "Ida", "last_name": "Berg", "citizenship": "NO", "ownership_percentage": 33.33}],
    sales_info={"sales_amount": [
        {"type": "AVERAGE_INDIVIDUAL_SALE", "value": 120, "currency": currency},
        {"type": "AVERAGE_MONTHLY_CREDIT_SALES", "value": 100000, "currency": currency},
        {"type": "AVERAGE_YEARLY_CREDIT_SALES", "value": 1200000, "currency": currency},
        {"type": "HIGHEST_TICKET_SALE", "value": 900, "currency": currency},
    ]},
)
workflow = client.workflow_create(account_id=account_id, workflow={"business_id": business.data["business_id"]})
workflow_id = workflow.data["workflow_id"]
print("Workflow:", workflow_id)

# Step 4: decide which documents it requires, and read why. Or learn which facts are missing.
try:
    client.workflow_pricing_calculate(workflow_id=workflow_id)  # only if the rules use the evaluation score
    client.workflow_required_document_calculate(workflow_id=workflow_id)
except requisite.RequisiteError as refused:
    if refused.code != "MISSING_REQUIREMENTS":
        raise
    for gap in refused.gaps:
        print("Missing:", gap["message"])
for document in client.workflow_required_document_list_all(workflow_id=workflow_id):
    print("Required:", document["name"], "-", document["reasons"][0]["message"])

# Step 5: end the workflow, and receive its webhook. The receiver verifies, decrypts and drops repeats.
from wsgiref.simple_server import make_server

secrets = {}
receiver = requisite.Receiver(
    secrets=lambda account_id, key_id: secrets.get((account_id, key_id)),  # keep them where only your receivers can read
    processed=requisite.MemoryProcessed(),  # in production, a table: it remembers the ids of events that were processed
    handle=lambda event: print("Received:", event["event_type"], event["data"]),
)
server = make_server("127.0.0.1", int(os.environ["PORT"]), receiver)
key = client.webhook_key_create(account_id=account_id).data  # raises SecretLost if an answer with the secret was lost
secrets[account_id, key["key_id"]] = key["shared_secret"]  # shown this once: store it before you activate the key
client.webhook_key_activate(account_id=account_id, key_id=key["key_id"])
config = client.webhook_config_create(account_id=account_id, config={"url": os.environ["WEBHOOK_URL"], "event_types": ["WORKFLOW_COMPLETED"]})
client.workflow_complete(workflow_id=workflow_id)
server.handle_request()  # the first webhook; server.serve_forever() takes all
client.webhook_config_delete(config_id=config.data["config_id"])
