# Step 2: read your account.
set -euo pipefail
./sign.sh account.get '{"account_id":"'"$ACCOUNT_ID"'"}'
echo

# Step 3: record an applicant, and open a workflow, which is an application. USD is the currency of the account.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
run=$(date +%s)
business_id=$(./sign.sh business.create '{
  "account_id": "'"$ACCOUNT_ID"'",
  "business": { "legal_name": "Alder Works Ltd", "established_date": "2010-06-15", "industry_category_code": ["0742"] },
  "persons": [{ "first_name": "Ida", "last_name": "Berg", "citizenship": "NO", "ownership_percentage": 33.33 }],
  "sales_info": { "sales_amount": [
    { "type": "AVERAGE_INDIVIDUAL_SALE", "value": 120, "currency": "USD" },
    { "type": "AVERAGE_MONTHLY_CREDIT_SALES", "value": 100000, "currency": "USD" },
    { "type": "AVERAGE_YEARLY_CREDIT_SALES", "value": 1200000, "currency": "USD" },
    { "type": "HIGHEST_TICKET_SALE", "value": 900, "currency": "USD" }
  ] }
}' "start-$run-business" | field business_id)
workflow_id=$(./sign.sh workflow.create '{"account_id":"'"$ACCOUNT_ID"'","workflow":{"business_id":"'"$business_id"'"}}' "start-$run-workflow" | field workflow_id)
echo "Workflow: $workflow_id"

# Step 4: decide which documents it requires, and read why. Or learn which facts are missing.
./sign.sh workflow.pricing.calculate '{"workflow_id":"'"$workflow_id"'"}' "start-$run-price" # only if the rules use the evaluation score
echo
./sign.sh workflow.requiredDocument.calculate '{"workflow_id":"'"$workflow_id"'"}' "start-$run-calculate"
echo
./sign.sh workflow.requiredDocument.list '{"workflow_id":"'"$workflow_id"'"}'
echo

# Step 5: receive a webhook, an example of WORKFLOW_COMPLETED. The receiver verifies, decrypts and drops repeats. Ctrl-C ends it.
export REQUISITE_BASE_URL=$BASE_URL REQUISITE_API_KEY=$API_KEY REQUISITE_SECRET_KEY=$SECRET_KEY REQUISITE_AUTH_TOKEN=$AUTH_TOKEN
go run -C "$REPOSITORY" ./starter listen --account "$ACCOUNT_ID" --keys "$PWD/webhook-keys.json" --new-key --test WORKFLOW_COMPLETED
