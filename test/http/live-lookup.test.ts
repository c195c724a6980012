import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import type { JsonObject } from "../../src/core/json.js";
import { startBindery, type TestUser } from "../support/bindery.js";
import { deposit, eventually, publish, recordWith } from "../support/deposit.js";
import { chemical, polymer } from "../support/entities.js";
import { at, type ItemShape, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import {
  COMPOUND_ID,
  type FakeAuthorities,
  GRANT_ID,
  MERGED_ID,
  ROR_ID,
  SUCCESSOR_ID,
  startAuthorities,
  TAXON_ID,
  WITHDRAWN_ID,
} from "../support/live-authorities.js";
import { answer } from "../support/scripted-server.js";
import { type Service, startService } from "../support/service.js";

const GENERAL = "metadata.general_parameters";
const UNKNOWN_GRANT = "oa:corda__h2020::ffffffffffffffffffffffffffffffff";

let authorities: FakeAuthorities;
let bindery: Service;
let ada: TestUser;

beforeEach(async () => {
  authorities = await startAuthorities();
  bindery = await startService({ env: authorities.settings() });
  ada = await bindery.user("ada");
});
afterEach(async () => {
  await bindery.dispose();
  await authorities.close();
});

const citing = (...grants: readonly string[]) => recordWith(1, { funding_references: grants.map((id) => ({ id })) });
const comingFrom = (organism: string) =>
  recordWith(1, {
    entities_of_interest: [
      polymer("s", "S", organism),
      { ...chemical("entity-serum", "Serum"), basic_information: { id: COMPOUND_ID } },
      chemical("entity-assembly", "Assembly"),
    ],
  });
const item = (vocabulary: string, id: string) =>
  bindery.client.get<ItemShape & Problem>(`/api/vocabularies/${vocabulary}/${id}`);
const draftOf = ({ id }: RecordShape): string => `/api/records/mst/${id}/draft`;
const publication = (draft: RecordShape) => ada.client.post<RecordShape & Problem>(`${draftOf(draft)}/actions/publish`);
const lookUp = (vocabulary: string, query: string, who: { client: TestUser["client"] } = ada) =>
  who.client.get<SearchBody<JsonObject & { readonly source: JsonObject }> & Problem>(
    `/api/vocabularies/${vocabulary}/lookup?${query}`,
  );
const down = answer(503, {});

describe("an id that is not loaded", () => {
  it("is asked for when a draft is saved, and is a term from then on", async () => {
    const record = await publish(ada.client, citing(GRANT_ID));
    const term = await item("grants", GRANT_ID);
    expect(at(record, `${GENERAL}.funding_references.0`)).toEqual({
      ...{ "@v": term.body["@v"], id: GRANT_ID, title: { en: "Looking things up" } },
      ...{ funder_name: "European Commission", grant_id: "101000001" },
    });
    expect(term.body).toMatchObject({ revision_id: 1, cited_by: 1, synonyms: [{ name: "LIVE", kind: "acronym" }] });
    const found = await bindery.client.get<SearchBody>("/api/vocabularies/grants?q=looking");
    expect(found.body.hits.total).toBe(1);
    const { stdout } = await bindery.cli("audit", "--target", GRANT_ID, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ action: "term.lookup", place: "grants", who: "operator", revision: 1 });

    await deposit(ada.client, citing(GRANT_ID));
    expect(authorities.arrived).toHaveLength(1);
  });

  it("is asked for of each authority, whatever else a record cites", async () => {
    const draft = await deposit(ada.client, comingFrom(TAXON_ID));
    expect(draft.errors).toBeUndefined();
    expect(at(draft, `${GENERAL}.entities_of_interest.0.source_organism`)).toMatchObject({
      title: { en: "Vivus viridis" },
    });
    expect((await item("chemicals", COMPOUND_ID)).body).toMatchObject({ props: { smiles: "CCO" } });
  });

  it("leads to the term that replaced it, which is added too", async () => {
    const draft = await deposit(ada.client, comingFrom(MERGED_ID));
    expect(at(draft, `${GENERAL}.entities_of_interest.0.source_organism.id`)).toBe(TAXON_ID);
    expect(draft.warnings).toMatchObject([{ code: "TERM_REPLACED", value: MERGED_ID }]);
    expect((await item("organisms", MERGED_ID)).status).toBe(301);
    expect((await item("organisms", TAXON_ID)).status).toBe(200);
  });

  it("is unknown where the authority has no such id, which is remembered", async () => {
    for (let i = 0; i < 2; i++) {
      const { errors } = await deposit(ada.client, citing(UNKNOWN_GRANT));
      expect(errors).toMatchObject([{ code: "TERM_UNKNOWN", field: `${GENERAL}.funding_references.0.id` }]);
      expect(errors![0]!.messages[0]).toContain("OpenAIRE has no such id");
    }
    expect(authorities.arrived).toHaveLength(1);
  });

  it("is asked for once by deposits at the same time", async () => {
    const bodies = Array.from({ length: 8 }, () => citing(GRANT_ID, UNKNOWN_GRANT));
    const drafts = await Promise.all(bodies.map((body) => deposit(ada.client, body)));
    for (const { errors } of drafts) expect(errors).toMatchObject([{ code: "TERM_UNKNOWN", value: UNKNOWN_GRANT }]);
    expect(authorities.arrived).toHaveLength(2);
  });

  it("is not asked for where it has another form, was removed, or stands in a body that is refused", async () => {
    const { errors } = await deposit(ada.client, citing("oa:short", "ins:2"));
    expect(errors?.map(({ code }) => code)).toEqual(["TERM_UNKNOWN", "TERM_UNKNOWN"]);
    const cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
    await cleo.client.post("/api/vocabularies/grants", { id: GRANT_ID, title: { en: "Mine" } });
    expect((await cleo.client.delete(`/api/vocabularies/grants/${GRANT_ID}`)).status).toBe(204);
    expect((await deposit(ada.client, citing(GRANT_ID))).errors).toMatchObject([{ code: "TERM_GONE" }]);
    const reader = await bindery.user("rae", { scopes: ["records:read"] });
    expect((await reader.client.post("/api/records/mst/", citing(UNKNOWN_GRANT))).status).toBe(403);
    expect(authorities.arrived).toEqual([]);
  });

  it("is filled in by validate=only as a draft would have it, and not added", async () => {
    const path = "/api/records/mst/?validate=only";
    const validated = await ada.client.post<JsonObject>(path, comingFrom(MERGED_ID));
    expect((await item("organisms", TAXON_ID)).status).toBe(404);
    const draft = await deposit(ada.client, comingFrom(MERGED_ID));
    expect(validated.body).toEqual({ valid: true, errors: [], warnings: draft.warnings, metadata: draft.metadata });
  });
});

describe("an authority that is away", () => {
  it("refuses no draft, and is asked again by its publication", async () => {
    authorities.always(down);
    const draft = await deposit(ada.client, citing(GRANT_ID));
    const issue = { code: "TERM_UNCHECKED", field: `${GENERAL}.funding_references.0.id`, value: GRANT_ID };
    expect(draft.errors).toMatchObject([issue]);
    expect(draft.errors![0]!.messages[0]).toContain("OpenAIRE answers with errors. Publishing the draft asks again.");
    const refused = await publication(draft);
    expect([refused.status, refused.body.code]).toEqual([400, "DRAFT_INVALID"]);
    expect(refused.body.errors).toMatchObject([issue]);

    authorities.always(undefined);
    const published = await publication(draft);
    expect(published.status, published.text).toBe(202);
    expect(at(published.body, `${GENERAL}.funding_references.0.grant_id`)).toBe("101000001");
  });

  it("changes nothing in a draft that says the same again", async () => {
    authorities.always(down);
    const draft = await deposit(ada.client, citing(GRANT_ID));
    const again = await ada.client.put<RecordShape>(draftOf(draft), citing(GRANT_ID));
    expect([again.status, again.body.revision_id]).toEqual([200, 1]);
    authorities.always(undefined);
    const checked = await ada.client.put<RecordShape>(draftOf(draft), citing(GRANT_ID));
    expect(checked.body).toMatchObject({ revision_id: 2 });
    expect(checked.body.errors).toBeUndefined();
  });

  it("delays a draft by no more than the time limit, and no other request", async () => {
    authorities.always(() => undefined);
    const began = performance.now();
    const slow = deposit(ada.client, citing(GRANT_ID));
    await eventually(async () => expect(authorities.arrived).toHaveLength(1));
    const other = await deposit(ada.client, recordWith(2, {}));
    expect(other.errors).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(950);
    expect((await slow).errors).toMatchObject([{ code: "TERM_UNCHECKED" }]);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("does not stand in the way of the others", async () => {
    authorities.always((response) => (response.req.url!.startsWith("/rest/") ? down(response) : response.end("{}")));
    const { errors } = await deposit(ada.client, comingFrom(TAXON_ID));
    expect(errors?.map(({ code, messages }) => [code, /PubChem|NCBI/.exec(messages[0]!)![0]])).toEqual([
      ["TERM_UNCHECKED", "NCBI"],
      ["TERM_UNCHECKED", "PubChem"],
    ]);
  });

  it("is logged and counted, and shown by /readyz until it answers", async () => {
    authorities.always(down);
    await deposit(ada.client, citing(GRANT_ID));
    const metrics = async () => (await bindery.client.get("/metrics")).text;
    expect(await metrics()).toContain('bindery_lookups_total{authority="openaire",outcome="unavailable"} 1');
    expect(await metrics()).toContain('bindery_lookup_unavailable{authority="openaire"} 1');
    const ready = await bindery.client.get<JsonObject>("/readyz");
    expect(ready.status).toBe(200);
    expect(ready.body.background_errors).toMatchObject([
      { task: "lookup-openaire", message: expect.stringMatching(/^OpenAIRE answers with errors\./) },
    ]);
    expect(bindery.output()).toContain("Asking OpenAIRE for projects that are not loaded failed");

    authorities.always(undefined);
    await deposit(ada.client, citing(GRANT_ID));
    expect(await metrics()).toContain('bindery_lookups_total{authority="openaire",outcome="found"} 1');
    expect(await metrics()).toContain('bindery_lookup_unavailable{authority="openaire"} 0');
  });
});

describe("a search at the authority", () => {
  it("answers as a search, marked by its source and by what is loaded", async () => {
    await deposit(ada.client, citing(GRANT_ID));
    const { status, body } = await lookUp("affiliations", "q=institute");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ sortBy: "bestmatch", page: 1, query: { parsed: "institute", fallback: false } },
      links: { self: expect.stringMatching(/\/api\/vocabularies\/affiliations\/lookup\?page=1&q=institute$/) },
    });
    expect(body.hits.total).toBe(3);
    const source = { authority: "ror", loaded: false };
    expect(body.hits.hits[0]).toEqual({
      ...{
        id: ROR_ID,
        type: "affiliations",
        title: { en: "Live Institute" },
        synonyms: [{ name: "LI", kind: "acronym" }],
      },
      props: {
        ...{ city: "Springfield", country: "Utopia", types: ["education"] },
        ...{ identifiers: ["isni:0000 0001 0000 0001"] },
      },
      ...{ source, links: {} },
    });
    expect(body.hits.hits[2]).toMatchObject({ id: WITHDRAWN_ID, status: "deprecated", replaced_by: SUCCESSOR_ID });

    const [grant] = (await lookUp("grants", "q=looking")).body.hits.hits;
    const { links, ...known } = (await item("grants", GRANT_ID)).body;
    expect(grant).toEqual({ ...known, links, source: { authority: "openaire", loaded: true } });
  });

  it("is for users, of vocabularies that have such an authority", async () => {
    expect((await lookUp("affiliations", "q=x", { client: bindery.client })).status).toBe(401);
    expect((await lookUp("instruments", "q=x")).body).toMatchObject({
      ...{ status: 404, code: "LOOKUP_NOT_FOUND" },
      message: expect.stringMatching(/enabled for affiliations, chemicals, grants, organisms\.$/),
    });
    expect((await lookUp("nothing", "q=x")).body).toMatchObject({ status: 404, code: "VOCABULARY_NOT_FOUND" });
    const listed = await bindery.client.get<SearchBody>("/api/vocabularies");
    const asked = listed.body.hits.hits.flatMap(({ id, lookup = null }) => (lookup === null ? [] : [[id, lookup]]));
    expect(asked).toEqual([
      ["affiliations", "ror"],
      ["chemicals", "pubchem"],
      ["grants", "openaire"],
      ["organisms", "ncbi"],
    ]);
    const { links } = listed.body.hits.hits[0] as { readonly links: JsonObject };
    expect(links).toMatchObject({ lookup: expect.stringMatching(/\/api\/vocabularies\/affiliations\/lookup$/) });
    expect(authorities.arrived).toEqual([]);
  });

  it.each(["", "q=", "q=%20", `q=${"x".repeat(257)}`, "q=x&page=0", "q=x&page=501"])(
    "needs a text: %s",
    async (query) => {
      const { body } = await lookUp("affiliations", query);
      expect(body).toMatchObject({ status: 400, code: "PARAMETER_INVALID" });
      expect(authorities.arrived).toEqual([]);
    },
  );

  it("is a method of the client", async () => {
    const { lookUp: search } = createClient({ url: bindery.url, token: ada.token }).vocabulary("affiliations");
    const { hits } = await search("institute", { page: 1 });
    expect(hits.hits.map(({ id, title, source }) => [id, title.en, source.loaded])[0]).toEqual([
      ...[ROR_ID, "Live Institute", false],
    ]);
    expect((await search("institute", { page: 2 })).links.prev).toContain("page=1");
  });

  it("says when to come back if the authority is away", async () => {
    authorities.next(answer(429, {}, { "retry-after": "77" }));
    const away = await lookUp("affiliations", "q=x");
    expect(away.body).toMatchObject({
      status: 503,
      code: "LOOKUP_UNAVAILABLE",
      message: expect.stringMatching(/^ROR asked for a pause\./),
    });
    expect(away.headers["retry-after"]).toBe("77");
  });

  it("leaves out what is no term of the vocabulary, with a word", async () => {
    authorities.next(
      answer(200, { number_of_results: 1, items: [{ id: "https://ror.org/0iiiiiii1", names: [{ value: "I" }] }] }),
    );
    const { body } = await lookUp("affiliations", "q=x");
    expect(body).toMatchObject({ hits: { hits: [], total: 1 }, warnings: [{ code: "LOOKUP_LEFT_OUT" }] });
  });
});

it("is off where nobody turned it on", async () => {
  const { BINDERY_LOOKUP: _, ...rest } = authorities.settings();
  const other = await startService({ env: rest });
  try {
    const { client } = await other.user("ada");
    const { errors } = await deposit(client, citing(GRANT_ID));
    expect(errors).toMatchObject([{ code: "TERM_UNKNOWN" }]);
    expect(errors![0]!.messages[0]).not.toContain("OpenAIRE");
    const refused = await client.get<Problem>("/api/vocabularies/grants/lookup?q=x");
    expect(refused.body).toMatchObject({ status: 404, message: expect.stringMatching(/BINDERY_LOOKUP/) });
    expect(authorities.arrived).toEqual([]);
  } finally {
    await other.dispose();
  }
});

it("ends with a stop of the service, which saves drafts that wait for an authority first", async () => {
  const stopping = await startBindery({ env: authorities.settings() });
  try {
    const { client } = await stopping.user("ada");
    await deposit(client, citing(GRANT_ID));
    authorities.always(() => undefined);
    const waiting = deposit(client, citing(UNKNOWN_GRANT));
    await eventually(async () => expect(authorities.arrived).toHaveLength(2));
    const began = performance.now();
    const { code } = await stopping.end("SIGTERM");
    expect(code).toBe(0);
    expect((await waiting).errors).toMatchObject([{ code: "TERM_UNCHECKED" }]);
    expect(performance.now() - began).toBeLessThan(6_000);
  } finally {
    await stopping.dispose();
  }
});

it("asks once for deposits of several processes", async () => {
  const several = await startBindery({ env: { ...authorities.settings(), BINDERY_WORKERS: "2" } });
  try {
    const { client } = await several.user("ada");
    const drafts = await Promise.all(Array.from({ length: 12 }, () => deposit(client, citing(GRANT_ID))));
    for (const { errors } of drafts) expect(errors).toBeUndefined();
    expect(authorities.arrived).toHaveLength(1);
    expect((await client.get("/api/vocabularies/affiliations/lookup?q=institute")).status).toBe(200);
    const validated = await client.post<JsonObject>("/api/records/mst/?validate=only", comingFrom(TAXON_ID));
    expect(validated.body.valid).toBe(true);
    const { text } = await client.get("/metrics");
    expect(text).toMatch(/bindery_lookups_total\{authority="openaire",outcome="found"\} 1\b/);
  } finally {
    await several.dispose();
  }
});
