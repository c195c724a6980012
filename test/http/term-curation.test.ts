import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Issue, Warning } from "../../src/core/issue.js";
import type { TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import type { ItemShape, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

const ORGANISMS = "/api/vocabularies/organisms";
const MERGE_PATCH = { "content-type": "application/merge-patch+json" };

let bindery: Service;
let ada: TestUser;
let cleo: TestUser;
let last = 96_000_000;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada", { scopes: ["records:write", "vocabularies:write"] });
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
});
afterAll(() => bindery.dispose());

const add = async (title: string, more: object = {}): Promise<ItemShape> => {
  const id = `taxid:${last++}`;
  const answer = await cleo.client.post<ItemShape>(ORGANISMS, {
    ...{ id, title: { en: title }, props: { rank: "species" } },
    ...more,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const pathOf = ({ id }: { readonly id: string }): string => `${ORGANISMS}/${id}`;
const patch = (item: ItemShape, json: unknown, headers: Readonly<Record<string, string>> = {}, who = cleo) =>
  who.client.send<ItemShape & Problem>("PATCH", pathOf(item), { json, headers });
const merge = (item: ItemShape, into: unknown, headers: Readonly<Record<string, string>> = {}, who = cleo) =>
  who.client.post<ItemShape & Problem>(`${pathOf(item)}/actions/merge`, { into }, { headers });
const read = async (item: { readonly id: string }) => (await bindery.client.get<ItemShape>(pathOf(item))).body;

describe("PATCH of a term", () => {
  let item: ItemShape;
  beforeEach(async () => {
    item = await add("Patchella prima", {
      title: { en: "Patchella prima", cs: "Záplatka" },
      synonyms: ["Old name"],
      parent: "taxid:562",
    });
  });

  it("changes what it names, removes what is null, and leaves the rest", async () => {
    const { status, body, headers } = await patch(item, { title: { en: "Patchella" }, props: { rank: null } });
    expect([status, headers.etag]).toEqual([200, '"2"']);
    expect(body).toMatchObject({ title: { en: "Patchella", cs: "Záplatka" }, props: {}, parent: { id: "taxid:562" } });
    expect(await read(item)).toEqual(body);
    const found = await bindery.client.get<SearchBody<ItemShape>>(`${ORGANISMS}?q=zaplatka`);
    expect(found.body.hits.hits.map(({ id }) => id)).toContain(item.id);
    const second = await patch(item, { title: { cs: null }, parent: null, synonyms: [{ name: "Another" }] });
    expect(second.body).toMatchObject({ title: { en: "Patchella" }, revision_id: 3, synonyms: [{ name: "Another" }] });
    expect(second.body.parent).toBeUndefined();
  });

  it("deprecates, with a successor or without, and brings back", async () => {
    expect((await patch(item, { status: "deprecated" })).body).toMatchObject({ status: "deprecated" });
    const other = await add("Successor");
    expect((await patch(item, { replaced_by: other.id })).body).toMatchObject({ replaced_by: other.id });
    expect((await bindery.client.get(pathOf(item))).status).toBe(301);
    const refused = await patch(item, { status: "active" });
    expect([refused.status, refused.body.code]).toEqual([400, "BODY_INVALID"]);
    expect((await patch(item, { status: null, replaced_by: null })).status).toBe(200);
    expect((await read(item)).status).toBeUndefined();
  });

  it("is sent as a merge patch or as JSON, and a merge patch is no other body", async () => {
    const text = '{"title": {"en": "By type"}}';
    const send = (method: string, path: string, type: string) =>
      cleo.client.send<ItemShape & Problem>(method, path, { text, headers: { "content-type": type } });
    expect((await send("PATCH", pathOf(item), "application/merge-patch+json")).status).toBe(200);
    expect((await send("PATCH", pathOf(item), "application/json")).status).toBe(200);
    expect((await send("PATCH", pathOf(item), "application/json-patch+json")).status).toBe(415);
    expect((await send("PUT", pathOf(item), "application/merge-patch+json")).status).toBe(415);
    expect((await send("POST", ORGANISMS, "application/merge-patch+json")).status).toBe(415);
  });

  it("raises no revision where it changes nothing, and holds to If-Match", async () => {
    expect((await patch(item, {})).body).toEqual(await read(item));
    expect((await patch(item, { title: { en: item.title.en! } }, MERGE_PATCH)).body.revision_id).toBe(1);
    expect((await patch(item, { status: "deprecated" }, { "if-match": '"2"' })).status).toBe(412);
    expect((await patch(item, { status: "deprecated" }, { "if-match": '"1"' })).status).toBe(200);
  });

  it.each([
    [{ id: "taxid:1" }, "id"],
    [{ title: 7 }, "title"],
    [{ titel: "x" }, "titel"],
    [{ title: null }, "title"],
    [{ props: { rnk: "species" } }, "props.rnk"],
    [{ parent: "taxid:99999999" }, "parent"],
    [{ replaced_by: "taxid:99999999" }, "replaced_by"],
    [["x"], ""],
  ])("refuses %j and names the field", async (sent, field) => {
    const { status, body } = await patch(item, sent);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, "BODY_INVALID", field]);
    expect((await read(item)).revision_id).toBe(1);
  });

  it("is for curators, of a term that is there", async () => {
    expect((await patch(item, {}, {}, ada)).status).toBe(403);
    expect((await bindery.client.send("PATCH", pathOf(item), { json: {} })).status).toBe(401);
    expect((await patch({ ...item, id: "taxid:97999999" }, {})).status).toBe(404);
  });
});

describe("merging a term into another", () => {
  const citing = (n: number, id: string) => makeRecord(n, { organism: () => id });

  it("deprecates it, redirects it, and has its citations and children under the other one", async () => {
    const [one, two] = [await add("Mergella una"), await add("Mergella altera")];
    const child = await add("Mergella infans", { parent: one.id });
    const record = await publish(ada.client, citing(1, one.id));
    const { status, body } = await merge(one, two.id);
    expect([status, body.status, body.replaced_by]).toEqual([200, "deprecated", two.id]);
    const moved = await bindery.client.get(pathOf(one));
    expect([moved.status, moved.headers.location]).toEqual([301, `${bindery.url}${pathOf(two)}`]);
    expect((await read(two)).cited_by).toBe(1);
    const citations = await bindery.client.get<SearchBody<RecordShape>>(`${pathOf(two)}/citations?stale=true`);
    expect(citations.body.hits.hits.map(({ id }) => id)).toEqual([record.id]);
    expect((await read(child)).parent).toMatchObject({ id: two.id });
    const { stdout } = await bindery.cli("audit", "--target", one.id, "--json");
    expect(stdout).toContain('"term.merge"');
    expect((await bindery.cli("verify")).stdout).toContain("all agrees");
  });

  it("goes on to the successor of the other one, and is done once with an Idempotency-Key", async () => {
    const [one, two, three] = [await add("First"), await add("Second"), await add("Third")];
    await merge(two, three.id);
    const headers = { "idempotency-key": "merge" };
    const first = await merge(one, two.id, headers);
    expect(first.body.replaced_by).toBe(three.id);
    expect((await merge(one, two.id, headers)).body).toEqual(first.body);
    expect((await merge(one, three.id, { "if-match": '"1"' })).status).toBe(412);
  });

  it("is refused where it leads nowhere, back, below itself, or to a deprecated term", async () => {
    const one = await add("Refusella");
    const below = await add("Refusella infans", { parent: one.id });
    const old = await add("Refusella vetus");
    await patch(old, { status: "deprecated" });
    const back = await add("Refusella altera");
    await merge(back, one.id);
    for (const into of [undefined, 7, "taxid:97999999", one.id, back.id, below.id, old.id]) {
      const { status, body } = await merge(one, into);
      expect([status, body.code, body.errors?.[0]?.field], String(into)).toEqual([400, "BODY_INVALID", "into"]);
    }
    const more = await cleo.client.post<Problem>(`${pathOf(one)}/actions/merge`, { into: below.id, form: "x" });
    expect(more.body.errors?.[0]?.field).toBe("form");
    expect((await merge(one, old.id, {}, ada)).status).toBe(403);
    expect((await read(one)).revision_id).toBe(1);
  });
});

describe("adding a term that may be there already", () => {
  const PRODUCTS = "/api/vocabularies/products";
  const CHEMICALS = "/api/vocabularies/chemicals";
  const check = async (path: string, body: object, who = cleo) =>
    (await who.client.post<{ valid: boolean; errors: Issue[]; warnings: Warning[] }>(`${path}?validate=only`, body))
      .body;
  const product = (id: number, title: string, more: object = {}) => ({
    id: `prod:${id}`,
    title: { en: title },
    ...more,
  });

  beforeAll(async () => {
    await cleo.client.post(PRODUCTS, product(8_001, "Quillaja saponin 12", { synonyms: ["Soapbark"] }));
  });

  // Items that are alike are found by the index, which is not there.
  it.skipIf(ON_POSTGRES).each([
    ["QUILLAJA  saponin 12", "with the same title or synonym"],
    ["soapbark", "with the same title or synonym"],
    ["Quilaja saponin 12", "with a similar title"],
  ])("is warned of: %s", async (title, what) => {
    const { valid, warnings } = await check(PRODUCTS, product(8_002, title));
    expect(valid).toBe(true);
    expect(warnings).toEqual([
      {
        code: "TERM_ALIKE",
        message: `The vocabulary already has "prod:8001" (Quillaja saponin 12), ${what}. Is it the same?`,
        field: "title.en",
        value: title,
        nearest: [{ id: "prod:8001", title: "Quillaja saponin 12" }],
      },
    ]);
  });

  it.each(["Quillaja saponin 13", "Saponin", "Quillaja saponin 12 forte"])(
    "is no matter where it is %s",
    async (title) => {
      expect((await check(PRODUCTS, product(8_002, title))).warnings).toEqual([]);
    },
  );

  it("is warned of by an identifier, whatever the title", async () => {
    const { body } = await bindery.client.get<SearchBody<ItemShape>>(`${CHEMICALS}?q=water&size=1`);
    const [water] = body.hits.hits;
    const identifiers = water!.props.additional_identifiers as readonly string[] | undefined;
    const sent = { id: "inchikey:AAAAAAAAAAAAAA-BBBBBBBBBB-N", title: { en: "Zzyzx" } };
    if (identifiers === undefined) return expect.unreachable("The starter item has identifiers.");
    const { warnings } = await check(CHEMICALS, { ...sent, props: { additional_identifiers: identifiers } });
    expect(warnings).toMatchObject([{ code: "TERM_ALIKE", nearest: [{ id: water!.id }] }]);
  });

  it.skipIf(ON_POSTGRES)("says the same when it is added, and nothing is added with validate=only", async () => {
    const sent = product(8_003, "Quillaja saponin 12");
    const { warnings } = await check(PRODUCTS, sent);
    expect((await bindery.client.get(`${PRODUCTS}/${sent.id}`)).status).toBe(404);
    const added = await cleo.client.post<ItemShape & { warnings: Warning[] }>(PRODUCTS, sent);
    expect([added.status, added.body.warnings]).toEqual([201, warnings]);
    expect("warnings" in (await bindery.client.get<ItemShape>(`${PRODUCTS}/${sent.id}`)).body).toBe(false);
    const again = await check(PRODUCTS, sent);
    expect([again.valid, again.errors[0]?.field]).toEqual([false, "id"]);
    const wrong = await check(PRODUCTS, { id: "prod:8004", title: 7 });
    expect([wrong.valid, wrong.errors[0]?.field, wrong.warnings]).toEqual([false, "title", []]);
    expect((await ada.client.post(`${ORGANISMS}?validate=only`, {})).status).toBe(403);
    expect((await ada.client.post(`${PRODUCTS}?validate=onyl`, sent)).status).toBe(400);
  });
});
