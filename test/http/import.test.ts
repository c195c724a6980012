import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandResult, TestUser } from "../support/bindery.js";
import { deposit } from "../support/deposit.js";
import type { ItemShape, RecordShape, SearchBody } from "../support/http-client.js";
import { makeOrganism, organismId, organismLines } from "../support/items.js";
import { makeRecord, recordLines } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

interface Summary {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

const write = (name: string, content: string | Buffer): string => {
  const file = join(bindery.data, name);
  writeFileSync(file, content);
  return file;
};
const importFile = async (vocabulary: string, file: string, ...flags: string[]) =>
  withSummary(await bindery.cli("import", "vocabulary", vocabulary, file, "--json", ...flags));
const withSummary = (done: CommandResult) => ({
  ...done,
  summary: done.stdout === "" ? undefined : (JSON.parse(done.stdout) as Summary),
});
const item = async (id: string) => (await bindery.client.get<ItemShape>(`/api/vocabularies/organisms/${id}`)).body;
const one = (n: number, title: string) => ({
  id: `taxid:${93_000_000 + n}`,
  title: { en: title },
  props: { rank: "species" },
});

describe("a file of items", () => {
  const items = [one(1, "Yaml primus"), one(2, "Yaml secundus")];
  const yaml = items
    .map(({ id, title }) => `---\nid: ${id}\ntitle:\n  en: ${title.en}\nprops:\n  rank: species\n`)
    .join("");

  it.each<[string, string | Buffer]>([
    ["items.yaml", yaml],
    ["items.json", JSON.stringify(items)],
    ["items.ndjson", items.map((each) => JSON.stringify(each)).join("\n")],
    ["items.jsonl.gz", gzipSync(`${items.map((each) => JSON.stringify(each)).join("\n")}\n\n`)],
    ["items.yaml.gz", gzipSync(yaml)],
    ["items.json.gz", gzipSync(JSON.stringify(items, null, 2))],
  ])("may be %s", async (name, content) => {
    const { code, summary, stderr } = await importFile("organisms", write(name, content));
    expect(code, stderr).toBe(0);
    expect(summary!.new + summary!.unchanged).toBe(2);
    expect(summary).toMatchObject({ changed: 0, refused: [] });
    expect((await item(items[0]!.id)).revision_id).toBe(1);
  });

  it("that says something else of an item raises its version, and leaves others alone", async () => {
    const changed = { ...items[0]!, title: { en: "Yaml primus emendatus" } };
    const { summary } = await importFile("organisms", write("changed.json", JSON.stringify([changed])));
    expect(summary).toMatchObject({ new: 0, changed: 1, unchanged: 0 });
    expect((await item(items[0]!.id))["@v"]).toMatch(/::2$/);
    expect((await item(items[1]!.id))["@v"]).toMatch(/::1$/);
  });

  it("that is empty changes nothing", async () => {
    const { code, summary } = await importFile("organisms", write("empty.ndjson", ""));
    expect(code).toBe(0);
    expect(summary).toMatchObject({ new: 0, changed: 0, unchanged: 0 });
  });

  it("that is not there, or is for no vocabulary, is a clear word", async () => {
    const missing = await importFile("organisms", join(bindery.data, "missing.yaml"));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("missing.yaml")]);
    const nowhere = await importFile("planets", write("one.json", "[]"));
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("planets")]);
  });
});

describe("a refused line", () => {
  const lines = [
    JSON.stringify(one(11, "Bonus")),
    '{"id": "wrong", "title": {"en": "Malus"}}',
    "{ not json",
    '{"id": "taxid:93000012"}',
    JSON.stringify({ ...one(13, "Rank"), props: { rank: 5 } }),
    JSON.stringify({ ...one(14, "Colour"), colour: "red" }),
    JSON.stringify(one(15, "Optimus")),
  ].join("\n");

  it("refuses the file, with all reasons and their lines", async () => {
    const file = write("refused.ndjson", lines);
    const plain = await bindery.cli("import", "vocabulary", "organisms", file);
    expect(plain.code).toBe(1);
    for (const line of [2, 3, 4, 5, 6]) expect(plain.stderr).toContain(`refused.ndjson:${line}: `);
    expect(plain.stderr).toContain("Nothing was imported");
    expect((await bindery.client.get("/api/vocabularies/organisms/taxid:93000011")).status).toBe(404);
    const { summary, code } = await importFile("organisms", file);
    expect(code).toBe(1);
    expect(summary!.refused.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    for (const { reason } of summary!.refused) expect(reason).toMatch(/\S/);
  });

  it("is left out with --skip-refused", async () => {
    const { code, summary } = await importFile("organisms", write("refused.ndjson", lines), "--skip-refused");
    expect(code).toBe(0);
    expect(summary).toMatchObject({ new: 2, changed: 0 });
    expect(summary!.refused).toHaveLength(5);
    expect((await item("taxid:93000015")).title.en).toBe("Optimus");
  });

  it("of a YAML file is named by its line", async () => {
    const file = write("refused.yaml", "---\nid: taxid:93000021\ntitle:\n  en: A\n---\nid: wrong\ntitle:\n  en: B\n");
    const { summary } = await importFile("organisms", file);
    expect(summary!.refused).toMatchObject([{ line: expect.any(Number) }]);
    expect([5, 6]).toContain(summary!.refused[0]!.line);
  });
});

describe("1,500 items", () => {
  it("become current at once, while the service takes deposits and answers", async () => {
    const total = async () =>
      (await bindery.client.get<SearchBody>("/api/vocabularies/organisms?facets=none&s=1")).body.hits.total;
    const before = await total();
    const file = write("many.ndjson", organismLines(1_500));
    let isDone = false;
    const seen = new Set<number>();
    const drafts: RecordShape[] = [];
    const work = (async () => {
      for (let n = 0; !isDone; n++) {
        drafts.push(await deposit(alice.client, makeRecord(n)));
        seen.add(await total());
        expect((await bindery.client.get("/api/vocabularies/organisms/taxid:562")).status).toBe(200);
      }
    })();
    const done = await bindery.program("import", "vocabulary", "organisms", file, "--json");
    const { code, summary, stderr } = withSummary(done);
    isDone = true;
    await work;
    expect(code, stderr).toBe(0);
    expect(summary).toMatchObject({ new: 1_500, changed: 0, unchanged: 0 });
    seen.add(await total());
    expect([...seen].sort((a, b) => a - b)).toEqual([before, before + 1_500]);
    expect(drafts.length).toBeGreaterThan(0);
    for (const { id } of drafts) expect((await alice.client.get(`/api/records/mst/${id}/draft`)).status).toBe(200);
    const sample = makeOrganism(1_499);
    expect(await item(organismId(1_499))).toMatchObject({ title: sample.title, revision_id: 1 });
    const found = await bindery.client.get<SearchBody<ItemShape>>(`/api/vocabularies/organisms?q=${organismId(777)}`);
    expect(found.body.hits.hits[0]!.id).toBe(organismId(777));
  });

  it("change nothing a second time, and keep what the file lacks", async () => {
    await importFile("organisms", write("many.ndjson", organismLines(1_500)));
    const before = await item(organismId(3));
    const human = await item("taxid:9606");
    const { summary } = await importFile("organisms", write("many.ndjson", organismLines(1_500)));
    expect(summary).toMatchObject({ new: 0, changed: 0, unchanged: 1_500 });
    expect(await item(organismId(3))).toEqual(before);
    expect(await item("taxid:9606")).toEqual(human);
  });

  it("of another content raise each version once, and the searches follow", async () => {
    const file = write("other.ndjson.gz", gzipSync(organismLines(1_500, { seed: 2 })));
    const { summary } = await importFile("organisms", file);
    expect(summary).toMatchObject({ new: 0, changed: 1_500, unchanged: 0 });
    const again = await item(organismId(3));
    expect(again["@v"]).toMatch(/::2$/);
    expect(again.title).toEqual(makeOrganism(3, 2).title);
    const old = encodeURIComponent(`"${(makeOrganism(3).title as { en: string }).en}"`);
    const found = await bindery.client.get<SearchBody<ItemShape>>(`/api/vocabularies/organisms?s=1000&q=title:${old}`);
    expect(found.body.hits.hits.map(({ id }) => id)).not.toContain(organismId(3));
  });
});

describe("a file of records", () => {
  it("is imported as drafts, or published", async () => {
    const file = write("records.ndjson", recordLines(5, { from: 700 }));
    const drafts = await bindery.cli("import", "records", "mst", file, "--owner", "alice", "--json");
    expect(drafts.code, drafts.stderr).toBe(0);
    expect(JSON.parse(drafts.stdout)).toMatchObject({ created: 5, published: 0, refused: [] });
    const published = await bindery.cli("import", "records", "mst", file, "--owner", "alice", "--publish", "--json");
    expect(JSON.parse(published.stdout)).toMatchObject({ published: 5, refused: [] });
    const { body } = await bindery.client.get<SearchBody<RecordShape>>("/api/search/");
    expect(body.hits.total).toBe(5);
    const mine = await alice.client.get<SearchBody>("/api/user/search/?state=published");
    expect(mine.body.hits.total).toBe(5);
  });

  it("leaves no draft of what is not valid and says which, unless drafts are wanted", async () => {
    const broken = JSON.stringify({ metadata: { general_parameters: { technique: "Magic" } } });
    const file = write("broken.ndjson", `${recordLines(1, { from: 800 })}${broken}\n{ nothing\n`);
    const run = async (...flags: readonly string[]) => {
      const done = await bindery.cli(
        "import",
        "records",
        "mst",
        file,
        "--owner",
        "alice",
        "--publish",
        "--json",
        ...flags,
      );
      expect(done.code).toBe(1);
      return JSON.parse(done.stdout) as { published: number; refused: { line: number; id?: string }[] };
    };
    const first = await run();
    expect(first.published).toBe(1);
    expect(first.refused).toMatchObject([{ line: 2 }, { line: 3 }]);
    expect(first.refused[0]!.id).toBeUndefined();
    const [{ id = "" } = {}] = (await run("--keep-drafts")).refused;
    const kept = await alice.client.get<RecordShape>(`/api/records/mst/${id}/draft`);
    expect(kept.body.errors!.length).toBeGreaterThan(0);
  });

  it("for nobody, or of no model, is refused", async () => {
    const file = write("records.ndjson", recordLines(1));
    expect((await bindery.cli("import", "records", "mst", file, "--owner", "nobody")).code).toBe(1);
    expect((await bindery.cli("import", "records", "xrd", file, "--owner", "alice")).code).toBe(1);
    expect((await bindery.cli("import", "records", "mst", file)).code).toBe(2);
  });
});
