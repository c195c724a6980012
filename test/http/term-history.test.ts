import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import type { ItemShape, Problem, SearchBody } from "../support/http-client.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

const PRODUCTS = "/api/vocabularies/products";

interface Product extends ItemShape {
  readonly confirmed?: false;
  readonly edited?: readonly { readonly field: string; readonly time: string }[];
}

interface Change {
  readonly revision_id: number;
  readonly action: string;
  readonly by: string;
  readonly time: string;
  readonly source?: string;
  readonly fields: readonly object[];
}

let bindery: Service;
let ada: TestUser;
let cleo: TestUser;
let last = 70_000;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada", { scopes: ["records:write"] });
  cleo = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
});
afterAll(() => bindery.dispose());

const add = async (who: TestUser, title = "Oat drink", more: object = {}): Promise<Product> => {
  const body = { id: `prod:${last++}`, title: { en: title }, ...more };
  const answer = await who.client.post<Product>(PRODUCTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const pathOf = ({ id }: Pick<ItemShape, "id">): string => `${PRODUCTS}/${id}`;
const read = async (item: Pick<ItemShape, "id">) => (await bindery.client.get<Product>(pathOf(item))).body;
const pageOf = async ({ id }: Product) =>
  (await bindery.client.get(`/vocabularies/products/${id}`, { headers: { accept: "text/html" } })).text;
const patch = async (item: Product, json: unknown) => {
  const answer = await cleo.client.send<Product>("PATCH", pathOf(item), { json });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const confirm = (item: Product, who = cleo, headers: Readonly<Record<string, string>> = {}) =>
  who.client.post<Product & Problem>(`${pathOf(item)}/actions/confirm`, undefined, { headers });
const waiting = async (more = ""): Promise<readonly string[]> => {
  const { body } = await cleo.client.get<SearchBody<Product>>(`${PRODUCTS}?confirmed=false&sort=newest${more}`);
  expect(body.hits.total).toBeGreaterThanOrEqual(body.hits.hits.length);
  return body.hits.hits.map(({ id }) => id);
};
const history = async (item: Pick<ItemShape, "id">, more = "") => {
  const answer = await cleo.client.get<SearchBody<Change>>(`${pathOf(item)}/history${more}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

describe("a term that a depositor adds", () => {
  it("waits until a curator confirms it", async () => {
    const item = await add(ada, "Oat drink", { confirmed: true });
    expect(item.confirmed).toBe(false);
    expect(await waiting()).toContain(item.id);
    expect(await pageOf(item)).toContain("no curator has confirmed it yet");
    const { status, body, headers } = await confirm(item);
    expect([status, headers.etag, body.confirmed]).toEqual([200, '"2"', undefined]);
    expect(await read(item)).toEqual(body);
    expect(await waiting()).not.toContain(item.id);
    expect(await pageOf(item)).not.toContain("no curator has confirmed it yet");
    expect((await confirm(item)).body.revision_id).toBe(2);
  });

  it("keeps waiting while it is changed, and no longer when it is deprecated or merged", async () => {
    const [one, two] = [await add(ada), await add(ada)];
    expect((await patch(one, { title: { en: "Oat milk" }, confirmed: null })).confirmed).toBe(false);
    const put = await cleo.client.put<Product>(pathOf(one), { id: one.id, title: { en: "Oat" } });
    expect(put.body.confirmed).toBe(false);
    expect((await patch(one, { status: "deprecated" })).confirmed).toBeUndefined();
    const into = await add(cleo, "Oat drink, plain");
    expect((await cleo.client.post(`${pathOf(two)}/actions/merge`, { into: into.id })).status).toBe(200);
    const listed = await waiting();
    expect([one.id, two.id].filter((id) => listed.includes(id))).toEqual([]);
  });

  it("is told apart from those of curators, which wait for nobody, also with a query and beside others", async () => {
    const [theirs, ours] = [await add(ada, "Zymella waits"), await add(cleo, "Zymella is here", { confirmed: false })];
    expect(ours.confirmed).toBeUndefined();
    expect(await waiting("&q=zymella")).toEqual([theirs.id]);
    const others = await cleo.client.get<SearchBody<Product>>(`${PRODUCTS}?confirmed=true&q=zymella`);
    expect(others.body.hits.hits.map(({ id }) => id)).toEqual([ours.id]);
    const both = await bindery.client.get<Problem>(`${PRODUCTS}?confirmed=false&suggest=zym`);
    expect([both.status, both.body.errors?.[0]?.field]).toEqual([400, expect.stringMatching(/suggest|confirmed/)]);
  });

  it("is confirmed by curators only, and holds to If-Match", async () => {
    const item = await add(ada);
    expect((await confirm(item, ada)).status).toBe(403);
    expect((await confirm(item, cleo, { "if-match": '"7"' })).status).toBe(412);
    expect((await confirm({ ...item, id: "prod:999999" })).status).toBe(404);
    expect((await confirm(item, cleo, { "idempotency-key": "confirmed" })).status).toBe(200);
    expect((await confirm(item, cleo, { "idempotency-key": "confirmed" })).body.revision_id).toBe(2);
  });

  it("stays as it is in an export that is imported again, and is confirmed by an import that names it", async () => {
    const item = await add(ada, "Exported");
    for (const format of ["ndjson", "csv"]) {
      const { text } = await bindery.client.get(`${PRODUCTS}?format=${format}`);
      const { stdout } = await importText(`all.${format}`, text);
      expect(stdout).toContain(" 0 new, 0 changed, ");
    }
    await importText("one.ndjson", JSON.stringify({ id: item.id, synonyms: ["Shipped"] }));
    expect((await read(item)).confirmed).toBeUndefined();
  });
});

async function importText(name: string, text: string) {
  const { writeFileSync } = await import("node:fs");
  const file = `${bindery.data}/${name}`;
  writeFileSync(file, text);
  const run = await bindery.cli("import", "vocabulary", "products", file);
  expect(run.code, run.stderr).toBe(0);
  return run;
}

describe("the history of a term", () => {
  it("says who changed which fields, and when, newest first", async () => {
    const item = await add(ada, "First");
    await patch(item, { title: { en: "Second", cs: "Druhý" }, synonyms: ["Other"] });
    await confirm(item);
    await importText("renamed.ndjson", JSON.stringify({ id: item.id, title: { cs: "Třetí" } }));
    const into = await add(cleo, "Target");
    await cleo.client.post(`${pathOf(item)}/actions/merge`, { into: into.id });
    const { hits } = await history(item);
    expect(hits.total).toBe(5);
    const time = expect.stringMatching(/^20.*\+00:00$/);
    expect(hits.hits).toEqual([
      {
        ...{ revision_id: 5, action: "merged", by: "cleo", time },
        fields: [
          { field: "status", from: "active", to: "deprecated" },
          { field: "replaced_by", to: into.id },
        ],
      },
      {
        ...{ revision_id: 4, action: "loaded", by: "operator", source: "import", time },
        fields: [{ field: "title.cs", from: "Druhý", to: "Třetí" }],
      },
      { revision_id: 3, action: "confirmed", by: "cleo", time, fields: [{ field: "confirmed", from: false }] },
      {
        ...{ revision_id: 2, action: "changed", by: "cleo", time },
        fields: [
          { field: "title.en", from: "First", to: "Second" },
          { field: "title.cs", to: "Druhý" },
          { field: "synonyms", to: [{ name: "Other", kind: "synonym" }] },
        ],
      },
      { revision_id: 1, action: "created", by: "ada", time, fields: [] },
    ]);
  });

  it("is read page by page", async () => {
    const item = await add(cleo, "Paged");
    for (const title of ["One", "Two", "Three"]) await patch(item, { title: { en: title } });
    const first = await history(item, "?size=3");
    expect(first.hits.hits.map(({ revision_id }) => revision_id)).toEqual([4, 3, 2]);
    const { body } = await cleo.client.get<SearchBody<Change>>(first.links.next!.slice(bindery.url.length));
    expect(body.hits.hits.map(({ action }) => action)).toEqual(["created"]);
    expect([body.links.next, body.links.prev]).toEqual([undefined, expect.stringContaining("page=1&size=3")]);
  });

  it("has no entry for what changed nothing, and none of what an import adds", async () => {
    const item = await add(cleo, "Same");
    await patch(item, { title: { en: "Same" } });
    expect((await history(item)).hits.total).toBe(1);
    const id = `prod:${last++}`;
    await importText("new.ndjson", JSON.stringify({ id, title: { en: "Imported" } }));
    expect((await history({ id })).hits.hits).toEqual([]);
  });

  it("outlives the term, and goes on with one of the same id", async () => {
    const item = await add(cleo, "Gone");
    expect((await cleo.client.delete(pathOf(item))).status).toBe(204);
    expect((await history(item)).hits.hits.map(({ action }) => action)).toEqual(["removed", "created"]);
    await cleo.client.post(PRODUCTS, { id: item.id, title: { en: "Back" } });
    const all = (await history(item)).hits.hits;
    expect(all.map(({ action, revision_id }) => [action, revision_id])).toEqual([
      ["created", 2],
      ["removed", 1],
      ["created", 1],
    ]);
  });

  it("is for curators, of terms that there are", async () => {
    const item = await add(ada, "Secret");
    expect((await bindery.client.get(`${pathOf(item)}/history`)).status).toBe(401);
    expect((await ada.client.get(`${pathOf(item)}/history`)).status).toBe(403);
    expect((await cleo.client.get(`${PRODUCTS}/prod:999999/history`)).status).toBe(404);
  });

  it("is what a term shows of it: fields that people changed since the source did", async () => {
    const item = await add(cleo, "Marked");
    await patch(item, { title: { en: "Edited", cs: "Jinak" } });
    const fields = async () => (await read(item)).edited?.map(({ time: _, ...said }) => said);
    expect(await fields()).toEqual([{ field: "title.en" }, { field: "title.cs" }]);
    await importText("source.ndjson", JSON.stringify({ id: item.id, title: { en: "As the source has it" } }));
    expect(await fields()).toEqual([{ field: "title.cs" }]);
    const { body } = await bindery.client.get<SearchBody<Product>>(`${PRODUCTS}?q=jinak`);
    expect(body.hits.hits[0]?.edited).toBeUndefined();
  });
});

describe("bindery term", () => {
  const term = async (...args: readonly string[]) => {
    const run = await bindery.cli("term", ...args);
    expect(run.code, run.stderr).toBe(0);
    return run.stdout;
  };

  it.skipIf(ON_POSTGRES)("lists what waits, patches, deprecates, merges and confirms", async () => {
    const [one, two, into] = [await add(ada, "Kelp one"), await add(ada, "Kelp two"), await add(cleo, "Kelp")];
    expect(await term("waiting", "products")).toContain(`${one.id}  20`);
    expect(await term("confirm", "products", one.id, two.id)).toBe("2 terms confirmed.\n");
    expect(await term("waiting", "products", "--json")).not.toContain(`"id":"${one.id}"`);
    expect(await term("patch", "products", one.id, '{"title":{"cs":"Chaluha"}}')).toBe(
      `Changed ${one.id} (revision 3).\n`,
    );
    expect(await term("deprecate", "products", one.id, "--replaced-by", into.id)).toContain(`${one.id} is deprecated`);
    expect(JSON.parse(await term("merge", "products", two.id, into.id, "--json"))).toMatchObject({
      ...{ id: two.id, status: "deprecated", replaced_by: into.id },
      edited: [{ field: "status", by: "operator" }, { field: "replaced_by" }],
    });
    const lines = (await term("history", "products", one.id)).trimEnd().split("\n");
    expect(lines[0]).toMatch(/^20\S+Z {2}revision 1 {2}created by ada$/);
    expect(lines.slice(-2)).toEqual(['  status: "active" -> "deprecated"', `  replaced_by: none -> "${into.id}"`]);
    const json = (await term("history", "products", two.id, "--json")).trimEnd().split("\n");
    expect(json.map((line) => JSON.parse(line).action)).toEqual(["created", "confirmed", "merged"]);
    const audit = await bindery.cli("audit", "--target", two.id, "--json");
    expect(audit.stdout).toContain('"action":"term.confirm"');
  });

  it("says what is wrong", async () => {
    const item = await add(cleo, "Wrongly");
    const wrong = async (...args: readonly string[]) => (await bindery.cli("term", ...args)).stderr;
    expect(await wrong("patch", "products", item.id, "{title}")).toContain("not valid JSON");
    expect(await wrong("patch", "products", item.id, '{"titel":"x"}')).toContain('did you mean "title"');
    expect(await wrong("merge", "products", item.id, "prod:999999")).toContain('no term "prod:999999"');
    expect(await wrong("confirm", "products", "prod:999999")).toContain("prod:999999");
    expect(await wrong("history", "nowhere", item.id)).toContain('no vocabulary "nowhere"');
  });
});
