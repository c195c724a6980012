/** Every operation of the OpenAPI document answers as the document describes: `startService` checks each answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { DOCUMENTED_RESPONSES } from "../support/check-answers.js";
import { deposit, publish } from "../support/deposit.js";
import type { Client, SearchBody } from "../support/http-client.js";
import { type FakeAuthorities, startAuthorities } from "../support/live-authorities.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

/** Responses that no request here brings about, with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {};

const PRODUCTS = "/api/vocabularies/products";
const CHEMICALS = "/api/vocabularies/chemicals";
const ORGANISM = "/api/vocabularies/organisms/taxid:562";
const WATER = `${CHEMICALS}/inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N`;

let authorities: FakeAuthorities;
let bindery: Service;
let ada: TestUser;
let cleo: TestUser;

beforeAll(async () => {
  authorities = await startAuthorities();
  bindery = await startService({ env: authorities.settings() });
  ada = await bindery.user("ada");
  await bindery.user("ben");
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["records:write", "vocabularies:write"] });
});
afterAll(async () => {
  await bindery.dispose();
  await authorities.close();
});

async function expectStatus(client: Client, status: number, method: string, path: string, json?: unknown) {
  const answer = await client.send(method, path, json === undefined ? {} : { json });
  expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 500)}`).toBe(status);
  return answer;
}

/** Reads a path, and once more with the ETag that it has. */
async function readTwice(client: Client, path: string): Promise<void> {
  const { headers } = await expectStatus(client, 200, "GET", path);
  const again = await client.get(path, { headers: { "if-none-match": headers.etag! } });
  expect(again.status, path).toBe(304);
}

it("answers reads of the service, of models and of names for queries", async () => {
  const { client } = bindery;
  for (const path of ["/healthz", "/readyz", "/api/openapi.json", "/api/models", "/api/query?q=kd:<10nM&at=3"]) {
    await expectStatus(client, 200, "GET", path);
  }
  const models = ["", "/schema", "/schema?refs=resolved", "/example", "/fields"].map(
    (path) => `/api/models/mst${path}`,
  );
  for (const path of ["/api", ...models, "/api/search/fields", "/api/units"]) await readTwice(client, path);
});

it("answers writes and reads of drafts", async () => {
  const { client } = ada;
  await expectStatus(client, 200, "POST", "/api/records/mst?validate=only", makeRecord(1));
  const draft = await deposit(client, { ...makeRecord(1), stray: 1 });
  const path = `/api/records/mst/${draft.id}/draft`;
  await readTwice(client, path);
  await expectStatus(client, 200, "PUT", path, { metadata: { general_parameters: 1, nonsense: true } });
  await expectStatus(client, 200, "GET", `${path}/files`);
  const grants = `${path}/access/grants`;
  await expectStatus(client, 201, "POST", grants, { user: "ben", permission: "read" });
  await expectStatus(client, 200, "POST", grants, { user: "ben", permission: "write" });
  await expectStatus(client, 200, "GET", grants);
  await expectStatus(client, 204, "DELETE", `${grants}/ben`);
  await expectStatus(client, 400, "POST", `${path}/actions/publish`);
  await expectStatus(client, 200, "PUT", path, makeRecord(1));
  await expectStatus(client, 202, "POST", `${path}/actions/publish`);
  for (const status of [201, 200]) await expectStatus(client, status, "POST", path);
  await expectStatus(client, 204, "DELETE", path);
  for (const status of [201, 200]) {
    await expectStatus(client, status, "POST", `/api/records/mst/${draft.id}/versions`);
  }
});

it("answers reads and searches of records, and retractions", async () => {
  const { client } = ada;
  const { id, parent } = await publish(client, makeRecord(2));
  const path = `/api/records/mst/${id}`;
  await readTwice(client, path);
  await expectStatus(client, 200, "GET", `${path}?expand=1&colour=red`);
  for (const more of ["/files", "/versions"]) await expectStatus(client, 200, "GET", path + more);
  await expectStatus(client, 200, "GET", `/records/${id}/export/json`);
  const searches = ["/api/search", "/api/records", "/api/records/mst", "/api/user/search", "/api/user/records/mst"];
  for (const search of [...searches, `${ORGANISM}/citations`]) {
    for (const query of ["", "?cursor=*&highlight=true&q=(binding&colour=red", "?format=ndjson"]) {
      await expectStatus(client, 200, "GET", search + query);
    }
  }
  await readTwice(client, `/api/records/${id}`);
  for (const moved of [`/api/records/${parent.id}`, `/api/records/mst/${parent.id}`, `${path}/versions/latest`]) {
    await expectStatus(client, 301, "GET", moved);
  }
  await expectStatus(client, 302, "GET", `/records/${parent.id}/export/json`);
  const { body } = await expectStatus(client, 200, "GET", "/api/search?facets=molecule");
  const { key } = (body as unknown as SearchBody<unknown>).aggregations!.molecule!.buckets[0]!;
  await expectStatus(client, 200, "GET", `/api/molecules/${key}`);
  await expectStatus(client, 301, "GET", `/api/molecules/${key.toUpperCase()}`);
  await expectStatus(client, 204, "DELETE", path);
  await expectStatus(client, 410, "GET", path);
  for (const query of ["", "?format=ndjson"]) await expectStatus(client, 200, "GET", `/api/changes${query}`);
});

it("answers requests for tokens", async () => {
  const { client } = ada;
  const { body } = await expectStatus(client, 201, "POST", "/api/user/tokens", { scopes: ["records:read"] });
  await expectStatus(client, 200, "GET", "/api/user/tokens");
  await expectStatus(client, 204, "DELETE", `/api/user/tokens/${String(body.id)}`);
});

it("answers reads and writes of terms", async () => {
  const { client } = cleo;
  await expectStatus(client, 200, "GET", "/api/vocabularies");
  await expectStatus(client, 200, "POST", `${PRODUCTS}?validate=only`, { id: "prod:93001", title: "Oat drink" });
  const [first, second] = ["prod:93001", "prod:93002"].map((id) => `${PRODUCTS}/${id}`);
  await expectStatus(ada.client, 201, "POST", PRODUCTS, { id: "prod:93001", title: "Oat drink" });
  await expectStatus(client, 201, "POST", PRODUCTS, { id: "prod:93002", title: "Oat drinks", synonyms: ["Oat milk"] });
  await readTwice(client, ORGANISM);
  for (const query of [
    "?size=100",
    "?suggest=oat",
    "?q=oat&highlight=true",
    "?ids=prod:93001,none",
    "?format=ndjson",
  ]) {
    await expectStatus(client, 200, "GET", PRODUCTS + query);
  }
  await expectStatus(client, 200, "POST", `${first}/actions/confirm`);
  await expectStatus(client, 200, "PATCH", first!, { synonyms: ["Oat juice"] });
  await expectStatus(client, 200, "PUT", first!, { title: "Oat drink" });
  await expectStatus(client, 200, "POST", `${first}/actions/merge`, { into: "prod:93002" });
  for (const path of [first!, `${first}/citations`]) await expectStatus(client, 301, "GET", path);
  await expectStatus(client, 200, "GET", `${first}/history`);
  await expectStatus(client, 200, "GET", second!);
  await expectStatus(client, 201, "POST", PRODUCTS, { id: "prod:93003", title: "Rye bread" });
  await expectStatus(client, 204, "DELETE", `${PRODUCTS}/prod:93003`);
});

it("answers requests for structures, and searches of authorities", async () => {
  const { client } = cleo;
  await readTwice(client, `${WATER}/structure.svg`);
  const id = "inchikey:AAAAAAAAAAAAAA-UHFFFAOYSA-N";
  await expectStatus(client, 201, "POST", CHEMICALS, { id, title: "Heavy tap water", props: { smiles: "O" } });
  await expectStatus(client, 200, "POST", `${CHEMICALS}/${id}/actions/merge`, { into: WATER.split("/").at(-1) });
  await expectStatus(client, 301, "GET", `${CHEMICALS}/${id}/structure.svg`);
  await expectStatus(client, 200, "GET", "/api/vocabularies/affiliations/lookup?q=institute");
});

it("has answered every operation with every status that the document has", () => {
  const unchecked = DOCUMENTED_RESPONSES.filter((response) => !bindery.checkedAnswers!.has(response));
  expect(unchecked).toEqual(Object.keys(UNCHECKED));
});
