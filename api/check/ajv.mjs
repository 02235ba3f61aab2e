// Every example of an OpenAPI description must be valid under its own schema, in ajv's strict mode, which also refuses
// schemas that say something without effect: node ajv.mjs openapi.json
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const api = JSON.parse(readFileSync(process.argv[2]));
const ajv = new Ajv({ strict: true, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(["discriminator", "components"]); // OpenAPI's own
ajv.addSchema({ $id: "api", components: api.components });

let failed = 0;
let checked = 0;
const validators = new Map();
function check(location, schema, value) {
  checked++;
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  if (!validators.has(text)) validators.set(text, ajv.compile(JSON.parse(text)));
  const validate = validators.get(text);
  if (!validate(value)) {
    failed++;
    console.error(`${location}: ${ajv.errorsText(validate.errors)}`);
  }
}
function media(location, content) {
  for (const [type, { schema, example, examples = {} }] of Object.entries(content ?? {})) {
    const values = Object.entries(examples).map(([name, { value }]) => [name, value]);
    if (example !== undefined) values.push(["example", example]);
    if (values.length === 0) {
      failed++;
      console.error(`${location}: ${type} has no example`);
    }
    for (const [name, value] of values) check(`${location} ${name}`, schema, value);
  }
}

for (const [name, schema] of Object.entries(api.components.schemas)) {
  ajv.compile({ $ref: `api#/components/schemas/${name}` });
  for (const example of schema.examples ?? []) check(name, schema, example);
}
for (const [name, parameter] of Object.entries(api.components.parameters)) check(name, parameter.schema, parameter.example);
for (const [status, response] of Object.entries(api.components.responses)) media(status, response.content);
for (const [path, { post }] of [...Object.entries(api.paths), ...Object.entries(api.webhooks)]) {
  media(`${path} request`, post.requestBody.content);
  for (const [status, response] of Object.entries(post.responses)) media(`${path} ${status}`, response.content);
}
// What a schema must accept and refuse, whatever its examples are.
const { person } = api.components.schemas.PersonCreateRequest.properties;
check("33.33 percent", person, { first_name: "Ida", last_name: "Berg", ownership_percentage: 33.33 });
const share = validators.get(JSON.stringify(person).replaceAll('"#/components/', '"api#/components/'));
if (share({ first_name: "Ida", last_name: "Berg", ownership_percentage: "33" })) {
  failed++;
  console.error("a text was taken for a number");
}
console.log(`${checked} examples, ${failed} problems`);
process.exit(failed === 0 && checked > 200 ? 0 : 1);
