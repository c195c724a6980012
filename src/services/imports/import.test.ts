import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { REAL_VOCABULARIES, vocabularyFile } from "../../../test/support/real-data.js";
import { makeRecord, recordLines } from "../../../test/support/records.js";
import { ANONYMOUS } from "../../core/actor.js";
import type { RecordBody } from "../../core/record.js";

let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices();
});
afterAll(() => bindery.dispose());

const lines = (...items: unknown[]): string => items.map((item) => JSON.stringify(item)).join("\n");
const product = (n: number, title = `Product ${n}`) => ({ id: `prod:${n}`, title: { en: title } });
const load = (content: string | Uint8Array, { skipRefused = false, vocabulary = "products", name = "f" } = {}) =>
  bindery.importTerms({ vocabulary, file: bindery.file(name, content), skipRefused });

describe("importing a vocabulary", () => {
  it("counts new, changed and unchanged items; again it changes nothing", async () => {
    const counts = { new: 2, changed: 0, unchanged: 0, refused: [] };
    expect(await load(lines(product(101), product(102)))).toMatchObject(counts);
    const mixed = lines(product(101), product(102, "Other"), product(103));
    expect(await load(mixed)).toMatchObject({ new: 1, changed: 1, unchanged: 1, refused: [] });
    expect(await load(mixed)).toMatchObject({ new: 0, changed: 0, unchanged: 3, refused: [] });
    const item = await bindery.readTerm("products", "prod:102");
    expect(item).toMatchObject({ kind: "found", term: { revision: 2 } });
  });

  it("refuses the whole file for one item, with every line and reason, or goes on without these", async () => {
    const file = [lines(product(201)), "{", lines({ id: "x:1", title: {}, what: 1 }, product(202), product(201))];
    const refused = await load(file.join("\n"), { name: "f.ndjson" });
    expect(refused).toMatchObject({ new: 0, changed: 0, unchanged: 0 });
    expect(refused.refused.map(({ line }) => line)).toEqual([2, 3, 5]);
    expect(refused.refused[1]!.reason).toMatch(/"what"; .*x:1/);
    expect(refused.refused[2]!.reason).toBe('"prod:201" is already on line 1');
    expect((await refusalOf(bindery.readTerm("products", "prod:201"))).code).toBe("TERM_NOT_FOUND");
    const skipped = await load(file.join("\n"), { name: "f.ndjson", skipRefused: true });
    expect(skipped).toMatchObject({ new: 2, refused: refused.refused });
  });

  it("refuses a file that cannot be read to its end, whatever is skipped", async () => {
    const cut = `[${JSON.stringify(product(301))},`;
    expect(await load(cut)).toMatchObject({ new: 0, refused: [{ line: 1, reason: "the array does not end" }] });
    expect((await refusalOf(load(cut, { skipRefused: true }))).message).toMatch(/line 1: the array does not end/);
    const packed = gzipSync(cut).subarray(0, 30);
    expect((await refusalOf(load(packed, { skipRefused: true }))).issues).toMatchObject([{ field: "file" }]);
    expect((await refusalOf(bindery.readTerm("products", "prod:301"))).code).toBe("TERM_NOT_FOUND");
  });

  it("says that the file or the vocabulary is not there", async () => {
    const input = { vocabulary: "products", file: "/nowhere/x.yaml", skipRefused: false };
    expect((await refusalOf(bindery.importTerms(input))).issues).toMatchObject([{ field: "file" }]);
    const unknown = await refusalOf(bindery.importTerms({ ...input, vocabulary: "produce" }));
    expect(unknown.code).toBe("VOCABULARY_NOT_FOUND");
  });
});

describe("the vocabularies of MBDB", () => {
  it.each(REAL_VOCABULARIES)("import: %s", async (vocabulary) => {
    const file = vocabularyFile(vocabulary);
    const first = await bindery.importTerms({ vocabulary, file, skipRefused: false });
    expect(first.refused).toEqual([]);
    const items = first.new + first.changed + first.unchanged;
    expect(items).toBeGreaterThan(0);
    const again = await bindery.importTerms({ vocabulary, file, skipRefused: false });
    expect(again).toMatchObject({ new: 0, changed: 0, unchanged: items, refused: [], examples: [] });
  });
});

describe("starter items", () => {
  it("are loaded once: a later start changes nothing, an emptied vocabulary stays empty", async () => {
    const fresh = await openServices();
    const before = await fresh.listVocabularies();
    for (const { id, count } of before) expect(count, id).toBeGreaterThan(0);
    await fresh.store.transaction(async (tx) => {
      for (let n = 1; n <= 20; n++) await tx.terms.delete("products", `prod:${n}`);
    });
    await fresh.loadStarters();
    const after = await fresh.listVocabularies();
    const emptied = before.map((hit) => (hit.id === "products" ? { ...hit, count: 0 } : hit));
    expect(after).toEqual(emptied);
    await fresh.dispose();
  });

  it("leave a vocabulary alone that was loaded before, and give way to a later import", async () => {
    const fresh = await openServices({ content: "nothing" });
    const file = fresh.file("p.ndjson", lines(product(1, "Ours")));
    await fresh.importTerms({ vocabulary: "products", file, skipRefused: false });
    await fresh.loadStarters();
    expect((await fresh.listVocabularies()).find(({ id }) => id === "products")!.count).toBe(1);
    const other = fresh.file("e.ndjson", lines({ id: "env:1", title: { en: "Ours" } }));
    expect(await fresh.importTerms({ vocabulary: "environment_types", file: other, skipRefused: false })).toMatchObject(
      {
        changed: 1,
      },
    );
    await fresh.dispose();
  });
});

describe("importing records", () => {
  let n = 0;
  let owner: string;
  beforeEach(async () => {
    owner = `owner ${n++}`;
    await bindery.addUser(owner, "depositor");
  });
  const load = (content: string, publish: boolean, name = "r.ndjson", options = {}) =>
    bindery.importRecords({ model: "mst", file: bindery.file(name, content), owner, publish, ...options });
  const found = async (): Promise<RecordBody[]> => {
    const request = { own: true, window: { size: 1000 }, filters: {}, facetSize: 0, lang: "en", sort: "oldest" };
    const { token } = await bindery.createToken({ user: owner, scopes: ["records:read"] });
    const { hits } = await bindery.searchRecords(await bindery.authenticate(token), request);
    return hits.map(({ json }) => JSON.parse(json) as RecordBody);
  };

  it("makes drafts of them, in the order of the file and each with an instant of its own", async () => {
    expect(await load(recordLines(150), false)).toEqual({
      created: 150,
      updated: 0,
      unchanged: 0,
      published: 0,
      retracted: 0,
      refused: [],
    });
    const bodies = await found();
    expect(bodies.every(({ state, revision_id }) => state === "draft" && revision_id === 1)).toBe(true);
    const titleOf = ({ metadata }: Pick<RecordBody, "metadata">): unknown =>
      (metadata as { general_parameters: { record_information: { title: string } } }).general_parameters
        .record_information.title;
    expect(bodies.map(titleOf)).toEqual(Array.from({ length: 150 }, (_, i) => titleOf(makeRecord(i))));
    expect(new Set(bodies.map(({ created }) => created)).size).toBe(150);
  });

  it("publishes the valid ones; the others keep their drafts where that is wanted, and are reported", async () => {
    const invalid = { metadata: { ...makeRecord(1).metadata, method_specific_parameters: 3 } };
    const content = lines(makeRecord(1), invalid, { model: "itc", metadata: {} }, makeRecord(2).metadata, [1]);
    const summary = await load(content, true, "r.ndjson", { keepDrafts: true });
    expect(summary).toMatchObject({ created: 3, published: 2 });
    expect(summary.refused.map(({ line, id }) => [line, id !== undefined])).toEqual([
      [2, true],
      [3, false],
      [5, false],
    ]);
    expect(summary.refused[0]!.reason).toMatch(/^metadata\.method_specific_parameters: /);
    const bodies = await found();
    expect(bodies.map(({ state }) => state)).toEqual(["published", "draft", "published"]);
    expect(bodies[1]!.id).toBe(summary.refused[0]!.id);
    expect((await bindery.readRecord(ANONYMOUS, { id: bodies[2]!.id })).revision).toBe(1);
  });

  it("reads an array, YAML documents and one object", async () => {
    const one = JSON.stringify(makeRecord(1));
    const [two, three] = [2, 3].map((n) => JSON.stringify(makeRecord(n)));
    expect(await load(`[${one},\n${two}]`, true, "r.json")).toMatchObject({ created: 2, published: 2 });
    const yaml = `---\n${two}\n---\n${three}`;
    expect(await load(yaml, true, "r.yaml")).toMatchObject({ created: 1, unchanged: 1, published: 1 });
    const spread = JSON.stringify(makeRecord(4), null, 2);
    expect(await load(spread, true, "r.json")).toMatchObject({ created: 1, published: 1 });
  });

  it("refuses an owner that is not there", async () => {
    const input = { model: "mst", file: bindery.file("r.ndjson", ""), owner: "nobody", publish: true };
    expect((await refusalOf(bindery.importRecords(input))).issues).toMatchObject([{ field: "owner" }]);
  });
});
