import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish, recordWith } from "../support/deposit.js";
import { at, type ItemShape, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

const GRANT = "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79";
const FUNDING = "metadata.general_parameters.funding_references.0";
let bindery: Service;
let alice: TestUser;
let published: RecordShape;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  published = await publish(alice.client, recordWith(1, { funding_references: [{ id: GRANT }] }));
});
afterAll(() => bindery.dispose());

describe("the searches of the core interface", () => {
  it.each(["/api/records/mst/", "/api/records/mst", "/api/search/", "/api/search"])(
    "%s is public and finds what was published",
    async (path) => {
      const { status, body } = await bindery.client.get<SearchBody<RecordShape>>(path);
      expect(status).toBe(200);
      expect(body.hits.total).toBe(1);
      expect(body.hits.hits[0]!.id).toBe(published.id);
      expect(body).toMatchObject({ sortBy: "newest", page: 1, query: { parsed: "", fallback: false } });
      expect(body.links.self).toContain(`${bindery.url}/api/`);
    },
  );

  it.each(["/api/user/records/mst/", "/api/user/search/", "/api/user/records/mst", "/api/user/search"])(
    "%s needs a token",
    async (path) => {
      const without = await bindery.client.get<Problem>(path);
      expect(without.status).toBe(401);
      expect(without.headers["www-authenticate"]).toMatch(/^Bearer/);
      expect(without.body).toMatchObject({ status: 401, code: "TOKEN_MISSING" });
      const { status, body } = await alice.client.get<SearchBody<RecordShape>>(path);
      expect(status).toBe(200);
      expect(body.hits.hits.map(({ id }) => id)).toEqual([published.id]);
    },
  );

  it("serves four models and ten vocabularies", async () => {
    for (const model of ["bli", "itc", "mst", "spr"]) {
      expect((await bindery.client.get(`/api/records/${model}/`)).status, model).toBe(200);
      expect((await alice.client.get(`/api/user/records/${model}/`)).status, model).toBe(200);
    }
    const list = await bindery.client.get<SearchBody>("/api/vocabularies");
    expect(list.body.hits.hits.map(({ id }) => id)).toEqual([
      ...["affiliations", "body_fluids", "cell_fractions", "chemicals", "environment_types"],
      ...["grants", "instruments", "languages", "organisms", "products"],
    ]);
  });
});

describe("vocabularies", () => {
  it('answers organisms?q="coli"&s=2 with the species before its strains', async () => {
    await importItems(
      bindery,
      "organisms",
      ["Escherichia coli K-12", "Escherichia coli O157:H7", "Campylobacter coli phage"].map((title, n) => ({
        id: `taxid:${83_333_000 + n}`,
        title: { en: title },
        props: { rank: "strain" },
        parent: "taxid:562",
      })),
    );
    for (const path of ['?q="coli"&s=2', "?q=%22coli%22&s=2", '/?q="coli"&size=2']) {
      const { status, body } = await bindery.client.get<SearchBody<ItemShape>>(`/api/vocabularies/organisms${path}`, {
        headers: { "content-type": "application/json" },
      });
      expect(status, path).toBe(200);
      expect(body.hits.total).toBe(4);
      expect(body.hits.hits).toHaveLength(2);
      expect(body.hits.hits[0]).toMatchObject({ id: "taxid:562", title: { en: "Escherichia coli" } });
      expect(body.sortBy).toBe("bestmatch");
      expect(body.links.next).toContain("page=2");
    }
  });

  it.each(["taxid:562", "taxid%3A562", "taxid:562/"])("answers organisms/%s", async (id) => {
    const { status, body, headers } = await bindery.client.get<ItemShape>(`/api/vocabularies/organisms/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "taxid:562",
      type: "organisms",
      title: { en: "Escherichia coli" },
      props: { rank: "species" },
      revision_id: 1,
    });
    expect(body["@v"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}::1$/);
    expect(body.links.self).toBe(`${bindery.url}/api/vocabularies/organisms/taxid:562`);
    expect(headers.etag).toBe('"1"');
    expect(body.ancestors?.at(-1)).toEqual(body.parent);
  });

  it.each([
    ["affiliations", "ror:042nb2s44"],
    ["chemicals", "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N"],
    ["grants", GRANT],
    ["instruments", "ins:2"],
    ["languages", "en"],
  ])("answers %s/%s", async (vocabulary, id) => {
    const { status, body } = await bindery.client.get<ItemShape>(`/api/vocabularies/${vocabulary}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, type: vocabulary });
  });
});

describe("a grant cited by its id alone", () => {
  it("comes back with version, funder, number and title, and nothing else", async () => {
    const item = await bindery.client.get<ItemShape>(`/api/vocabularies/grants/${GRANT}`);
    const draft = await deposit(alice.client, recordWith(2, { funding_references: [{ id: GRANT }] }));
    const expected = {
      "@v": item.body["@v"],
      id: GRANT,
      title: { en: "MOlecular-Scale Biophysics Research Infrastructure" },
      funder_name: "European Commission",
      grant_id: "101004806",
    };
    expect(at(draft, FUNDING)).toEqual(expected);
    expect(draft.warnings).toBeUndefined();

    const read = await alice.client.get<RecordShape>(`/api/records/mst/${draft.id}/draft`);
    expect(at(read.body, FUNDING)).toEqual(expected);
    const found = await bindery.client.get<RecordShape>(`/api/records/mst/${published.id}`);
    expect(at(found.body, FUNDING)).toEqual(expected);
  });

  it.each([
    ["q=101004806"],
    ['q="European Commission"'],
    ["q=MOSBRI"],
    [`q=${encodeURIComponent(`"${GRANT}"`)}`],
    [`q=${GRANT}`],
    ["q=funder:European"],
    [`q=grant:"${GRANT}"`],
    ["q=funding_references.grant_id:101004806"],
    ["q=metadata.general_parameters.funding_references.title.en:infrastructure"],
  ])("makes the record found by %s", async (query) => {
    const { status, body } = await bindery.client.get<SearchBody<RecordShape>>(
      `/api/search/?${query.replaceAll(" ", "%20")}`,
    );
    expect(status).toBe(200);
    expect(body.hits.hits.map(({ id }) => id)).toEqual([published.id]);
    expect(body.query.fallback).toBe(false);
  });
});
