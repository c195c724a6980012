import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, recordWith } from "../support/deposit.js";
import type { ItemShape, Problem, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

const ORGANISMS = "/api/vocabularies/organisms";
const FLUIDS = "/api/vocabularies/body_fluids";
let bindery: Service;
let ada: TestUser;
let cleo: TestUser;
let root: TestUser;
let last = 93_000_000;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada", { scopes: ["records:write", "vocabularies:write"] });
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
  root = await bindery.user("root", { role: "admin", scopes: ["admin"] });
});
afterAll(() => bindery.dispose());

const item = (title: string, more: object = {}) => {
  last += 1;
  return { id: `taxid:${last}`, title: { en: title }, props: { rank: "species" }, ...more };
};
const pathOf = ({ id }: { readonly id: string }): string => `${ORGANISMS}/${id}`;
const add = async (body: { readonly id: string }, who = cleo): Promise<ItemShape> => {
  const answer = await who.client.post<ItemShape>(ORGANISMS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const found = async (q: string): Promise<readonly string[]> => {
  const { body } = await bindery.client.get<SearchBody<ItemShape>>(`${ORGANISMS}?q=${encodeURIComponent(q)}`);
  return body.hits.hits.map(({ id }) => id);
};

describe("adding an item", () => {
  it("answers 201 with the item, which the very next search finds", async () => {
    const sent = item("Quuxella prima", { parent: "taxid:562", synonyms: ["Quuxella vetus"] });
    const { status, body, headers } = await cleo.client.post<ItemShape>(`${ORGANISMS}/`, sent);
    expect(status).toBe(201);
    expect(headers.location).toBe(`${bindery.url}${pathOf(sent)}`);
    expect(headers.etag).toBe('"1"');
    expect(body).toMatchObject({
      ...sent,
      revision_id: 1,
      parent: { id: "taxid:562" },
      synonyms: [{ kind: "synonym" }],
    });
    expect(body.ancestors!.at(-1)).toMatchObject({ id: "taxid:562" });
    expect((await bindery.client.get(pathOf(sent))).body).toEqual(body);
    expect(await found("quuxella")).toEqual([sent.id]);
    expect(await found("vetus")).toEqual([sent.id]);
    const within = await bindery.client.get<SearchBody>(`${ORGANISMS}?ancestor=taxid:562&q=quuxella`);
    expect(within.body.hits.total).toBe(1);
  });

  it("changes long pages, whose items are kept, and the lineage of items below", async () => {
    const parent = item("Aaa superior");
    const child = item("Aaa inferior", { parent: parent.id });
    await add(parent);
    await add(child);
    let asked = 0;
    const page = async (): Promise<readonly ItemShape[]> => {
      // Another address each time: the answer is made anew, of items that may be kept.
      const path = `${ORGANISMS}?size=150&facets=none&lang=qaa-${asked++}`;
      return (await bindery.client.get<SearchBody<ItemShape>>(path)).body.hits.hits;
    };
    const shown = async () => {
      const hits = await page();
      const of = ({ id }: { readonly id: string }) => hits.find((hit) => hit.id === id);
      const lineage = (await bindery.client.get<ItemShape>(pathOf(child))).body.ancestors;
      return [of(parent)?.title.en, of(child)?.parent?.title?.en, lineage?.at(-1)?.title.en, hits.length];
    };
    for (let n = 0; n < 3; n++) expect(await shown()).toEqual(["Aaa superior", "Aaa superior", "Aaa superior", 150]);
    const renamed = { ...parent, title: { en: "Aaa renamed" } };
    expect((await cleo.client.put(pathOf(parent), renamed)).status).toBe(200);
    for (let n = 0; n < 3; n++) expect(await shown()).toEqual(["Aaa renamed", "Aaa renamed", "Aaa renamed", 150]);
  });

  it("is refused where the item is so long that to index it would keep other writes waiting", async () => {
    const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n}`).join(" ");
    const many = { ...item("Longa"), synonyms: [words(LIMITS.termWordsMax)] };
    const { status, body } = await cleo.client.post<Problem>(ORGANISMS, many);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, "BODY_INVALID", "synonyms"]);
    expect(body.errors?.[0]?.messages).toEqual([
      expect.stringMatching(
        /^"synonyms" has 10000 of the \d+ words of this term; the maximum is 10000 words in all\.$/,
      ),
    ]);
    expect((await cleo.client.put(pathOf(many), many)).status).toBe(404);
    const large = { ...item("Longa"), synonyms: ["-".repeat(LIMITS.termBodyBytesMax)] };
    const refused = await cleo.client.post<Problem>(ORGANISMS, large);
    expect([refused.status, refused.body.code]).toEqual([413, "BODY_TOO_LARGE"]);
    expect(refused.text).toContain("262144");
  });

  it("is a 409 where the id is in use, and done once with an Idempotency-Key", async () => {
    const sent = item("Onlyonce");
    const headers = { "idempotency-key": "add" };
    const first = await cleo.client.post<ItemShape>(ORGANISMS, sent, { headers });
    const again = await cleo.client.post<ItemShape>(ORGANISMS, sent, { headers });
    expect([again.status, again.body, again.headers.location]).toEqual([201, first.body, first.headers.location]);
    const { status, body } = await cleo.client.post<Problem>(ORGANISMS, sent);
    expect([status, body.code]).toEqual([409, "TERM_EXISTS"]);
    const languages = await root.client.post<Problem>("/api/vocabularies/languages", { id: "eng", title: "English" });
    expect([languages.status, languages.body.code]).toEqual([409, "TERM_EXISTS"]);
    expect(languages.body.message).toContain('"en"');
  });

  it.each([
    [{ id: "x:1" }, "id"],
    [{ id: "taxid:1", title: 7 }, "title"],
    [{ titel: "x" }, "titel"],
    [{ props: { rnk: "species" } }, "props.rnk"],
    [{ props: { rank: 3 } }, "props.rank"],
    [{ title: { english: "x" } }, "title"],
    [{ synonyms: [{ kind: "x" }] }, "synonyms.0.name"],
    [{ parent: "taxid:99999999" }, "parent"],
    [{ status: "deprecated", replaced_by: "taxid:99999999" }, "replaced_by"],
    [{ status: "old" }, "status"],
  ])("refuses %j and names the field", async (more, field) => {
    const { status, body } = await cleo.client.post<Problem>(ORGANISMS, { ...item("Badword"), ...more });
    expect([status, body.code]).toEqual([400, "BODY_INVALID"]);
    expect(body.errors!.map((issue) => issue.field)).toContain(field);
    expect(await found("badword")).toEqual([]);
  });

  it.each([["[]"], ['"x"'], ["{"], [""]])("refuses the body %j", async (text) => {
    expect((await cleo.client.send("POST", ORGANISMS, { text })).status).toBe(400);
  });
});

describe("replacing an item", () => {
  it("answers 200, raises the revision, and is what the next search finds", async () => {
    const made = await add(item("Beforeword"));
    const changed = { ...made, title: { en: "Afterword" } };
    const { status, body, headers } = await cleo.client.put<ItemShape>(pathOf(made), changed);
    expect([status, body.revision_id, headers.etag]).toEqual([200, 2, '"2"']);
    expect(body.created).toBe(made.created);
    expect(body["@v"]).toBe(made["@v"].replace(/::1$/, "::2"));
    expect([await found("beforeword"), await found("afterword")]).toEqual([[], [made.id]]);
  });

  it("changes nothing when what was read is sent back", async () => {
    const made = await add(item("Samesame", { parent: "taxid:562" }));
    const read = await bindery.client.get<ItemShape>(pathOf(made));
    const put = await cleo.client.put<ItemShape>(pathOf(made), read.body);
    expect([put.status, put.body]).toEqual([200, read.body]);
    const { id, ...rest } = read.body;
    expect((await cleo.client.put<ItemShape>(pathOf({ id }), rest)).body).toEqual(read.body);
  });

  it("holds to If-Match", async () => {
    const made = await add(item("Matched"));
    const put = (revision: string) =>
      cleo.client.put(
        pathOf(made),
        { ...made, title: { en: `At ${revision}` } },
        { headers: { "if-match": revision } },
      );
    expect((await put('"2"')).status).toBe(412);
    expect((await put('"1"')).status).toBe(200);
    expect((await put('"1"')).status).toBe(412);
    const deleted = await cleo.client.delete(pathOf(made), { headers: { "if-match": "1" } });
    expect(deleted.status).toBe(412);
  });

  it("is a 404 for an id that is none, or an alias, and a 400 for the id of another", async () => {
    const unknown = item("Never");
    expect((await cleo.client.put<Problem>(pathOf(unknown), unknown)).body.code).toBe("TERM_NOT_FOUND");
    const alias = await root.client.put<Problem>("/api/vocabularies/languages/eng", { title: "English" });
    expect(alias.body.code).toBe("TERM_NOT_FOUND");
    const made = await add(item("Moved"));
    const { status, body } = await cleo.client.put<Problem>(pathOf(made), { ...made, id: "taxid:1" });
    expect([status, body.errors]).toMatchObject([400, [{ field: "id" }]]);
  });

  it("refuses to put an item below itself", async () => {
    const above = await add(item("Above"));
    const below = await add(item("Below", { parent: above.id }));
    const { status, body } = await cleo.client.put<Problem>(pathOf(above), { ...above, parent: below.id });
    expect([status, body.errors]).toMatchObject([400, [{ field: "parent" }]]);
  });

  it("deprecates one in favour of another, and back", async () => {
    const old = await add(item("Oldname"));
    const successor = await add(item("Newname"));
    const retired = { ...old, status: "deprecated", replaced_by: successor.id };
    expect((await cleo.client.put<ItemShape>(pathOf(old), retired)).body).toMatchObject({ status: "deprecated" });
    const moved = await bindery.client.get(pathOf(old));
    expect([moved.status, moved.headers.location]).toEqual([301, `${bindery.url}${pathOf(successor)}`]);
    expect((await cleo.client.put<ItemShape>(pathOf(old), old)).body.revision_id).toBe(3);
    expect((await bindery.client.get(pathOf(old))).status).toBe(200);
  });
});

describe("deleting an item", () => {
  it("answers 204, then it is a 410 and in no search, and a new one of the id goes on counting", async () => {
    const made = await add(item("Shortlived"));
    expect((await cleo.client.delete(pathOf(made))).status).toBe(204);
    for (const method of ["GET", "DELETE"]) {
      const { status, body } = await cleo.client.send<Problem>(method, pathOf(made));
      expect([status, body.code], method).toEqual([410, "TERM_GONE"]);
    }
    expect((await cleo.client.put<Problem>(pathOf(made), made)).status).toBe(410);
    expect(await found("shortlived")).toEqual([]);
    expect((await add(made)).revision_id).toBe(2);
  });

  it("is a 409 with the count while a draft or a record cites it", async () => {
    const made = await add(item("Citedone"));
    const cite = recordWith(1, {
      entities_of_interest: [{ type: "Polymer", id: "e", name: "E", source_organism: { id: made.id } }],
    });
    const drafts = [await deposit(ada.client, cite), await deposit(ada.client, cite)];
    const { status, body } = await cleo.client.delete<Problem>(pathOf(made));
    expect([status, body.code]).toEqual([409, "TERM_CITED"]);
    expect(body.message).toMatch(/is cited by 2 records, drafts included/);
    for (const { id } of drafts) await ada.client.delete(`/api/records/mst/${id}/draft`);
    expect((await cleo.client.delete(pathOf(made))).status).toBe(204);
  });
});

describe("deleting an item with children", () => {
  it("is a 409 that counts them and names the cure", async () => {
    const top = await add(item("Topgenus"));
    const children = [await add(item("Childone", { parent: top.id })), await add(item("Childtwo", { parent: top.id }))];
    const { status, body } = await cleo.client.delete<Problem>(pathOf(top));
    expect([status, body.code]).toEqual([409, "TERM_HAS_CHILDREN"]);
    expect(body.message).toMatch(/the parent of 2 terms\. Give them another parent or delete them first/);
    expect((await bindery.client.get<ItemShape>(pathOf(children[0]!))).body.ancestors).toHaveLength(1);

    await cleo.client.put(pathOf(children[0]!), { ...children[0], parent: undefined });
    expect((await cleo.client.delete<Problem>(pathOf(top))).body.message).toMatch(/the parent of 1 term\./);
    expect((await cleo.client.delete(pathOf(children[1]!))).status).toBe(204);
    expect((await cleo.client.delete(pathOf(top))).status).toBe(204);
  });
});

describe("who may write items", () => {
  const attempt = async (who: TestUser, vocabulary = ORGANISMS, body: { id: string } = item("Rights")) => [
    (await who.client.post(vocabulary, body)).status,
    (await who.client.put(`${vocabulary}/${body.id}`, body)).status,
    (await who.client.delete(`${vocabulary}/${body.id}`)).status,
  ];
  let fluid = 900;
  const bodyFluid = () => {
    fluid += 1;
    return { id: `cf:${fluid}`, title: { en: `Fluid ${fluid}` } };
  };

  it("is curators and admins, with the scope", async () => {
    expect(await attempt(cleo)).toEqual([201, 200, 204]);
    expect(await attempt(root)).toEqual([201, 200, 204]);
    const narrow = await bindery.user("cleo", { scopes: ["records:write"] });
    expect(await attempt(narrow)).toEqual([403, 403, 403]);
    expect((await narrow.client.post<Problem>(ORGANISMS, item("x"))).body.code).toBe("SCOPE_MISSING");
    expect((await bindery.client.post(ORGANISMS, item("x"))).status).toBe(401);
  });

  it("is no depositor, but to add to what is extensible", async () => {
    expect(await attempt(ada)).toEqual([403, 403, 403]);
    const { body } = await ada.client.post<Problem>(ORGANISMS, item("x"));
    expect(body).toMatchObject({ code: "ACCESS_DENIED", message: expect.stringContaining("curators") });
    expect(await attempt(ada, FLUIDS, bodyFluid())).toEqual([201, 403, 403]);
    const reader = await bindery.user("ada", { scopes: ["records:read"] });
    expect((await reader.client.post<Problem>(FLUIDS, bodyFluid())).body.code).toBe("SCOPE_MISSING");
  });
});

it("leaves a line in the audit log for each write that changed something", async () => {
  const made = await add(item("Audited"));
  await cleo.client.put(pathOf(made), made);
  await cleo.client.put(pathOf(made), { ...made, title: "Audited twice" });
  await cleo.client.delete(pathOf(made));
  const { stdout } = await bindery.cli("audit", "--target", made.id, "--done", "--json");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: "term.put", who: "cleo", place: "organisms", revision: 1 },
    { action: "term.put", revision: 2 },
    { action: "term.delete", revision: 2 },
  ]);
});

it("mends what a deletion left dangling only where it is touched", async () => {
  const successor = item("Successor");
  const dangling = item("Dangling", { status: "deprecated", replaced_by: successor.id });
  await importItems(bindery, "organisms", [successor, dangling]);
  expect((await cleo.client.delete(pathOf(successor))).status).toBe(204);
  const read = await bindery.client.get<ItemShape>(pathOf(dangling));
  const put = await cleo.client.put<ItemShape>(pathOf(dangling), { ...read.body, title: { en: "Still dangling" } });
  expect(put.status, put.text).toBe(200);
});
