import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileDocument } from "./documents.js";
import { findBreak, readDocuments } from "./read-documents.js";
import { splitJson } from "./split-json.js";
import { splitNdjson } from "./split-lines.js";
import { splitYaml } from "./split-yaml.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-documents-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(name: string, content: string | Uint8Array): Promise<FileDocument[]> {
  const file = join(folder, name);
  writeFileSync(file, content);
  return collect(readDocuments(file));
}

async function collect(documents: AsyncIterable<FileDocument>): Promise<FileDocument[]> {
  const all: FileDocument[] = [];
  for await (const document of documents) all.push(document);
  return all;
}

const two = [
  { line: 1, value: { id: "a" } },
  { line: 2, value: { id: "b" } },
];

describe("formats", () => {
  it("reads JSON lines by name and by content", async () => {
    const text = '{"id":"a"}\n{"id":"b"}\r\n\n';
    expect(await read("x.ndjson", text)).toEqual(two);
    expect(await read("x.jsonl", text)).toEqual(two);
    expect(await read("x.json", text)).toEqual(two);
    expect(await read("x", text)).toEqual(two);
  });

  it("reads a JSON array, on one line or on many", async () => {
    expect(await read("x.json", '[{"id":"a"},\n{"id":"b"}]\n')).toEqual(two);
    expect(await read("y.json", '\ufeff[ {"id":"a"}, {"id":"b"} ]')).toEqual(two.map((one) => ({ ...one, line: 1 })));
    expect(await read("z.json", " [ ] ")).toEqual([]);
  });

  it("reads one JSON object that spans lines", async () => {
    expect(await read("x.json", '{\n  "id": "a",\n  "b": "}"\n}\n')).toEqual([{ line: 1, value: { id: "a", b: "}" } }]);
  });

  it("reads YAML documents with and without markers, comments and directives", async () => {
    const text = "# first\n---\nid: a\n--- # second\n\nid: b\n...\n# none\n---\n";
    expect(await read("x.yaml", text)).toEqual([
      { line: 3, value: { id: "a" } },
      { line: 6, value: { id: "b" } },
    ]);
    expect(await read("y.yml", "%YAML 1.2\n---\nid: a\n")).toEqual([{ line: 3, value: { id: "a" } }]);
    expect(await read("z", "id: a\nn: no\n")).toEqual([{ line: 1, value: { id: "a", n: "no" } }]);
    expect(await read("l.yaml", "- id: a\n- id: b\n")).toEqual(two);
  });

  it.each([
    ["- id: a\n  b: 1\n- id: b\n", [1, 3]],
    ["# about\n---\n- id: a\n\n# between\n- id: b\n", [3, 6]],
    ["- {id: a,\n   b: 1}\n- {id: b}\n", [1, 3]],
    ["[{id: a},\n {id: b}]\n", [1, 2]],
    ["-\n  id: a\n-\n  id: b\n", [2, 4]],
    ["- &first\n  id: a\n- *first\n", [2, 3]],
    ["id: one\n---\n- id: a\n- id: b\n", [1, 3, 4]],
    ["- id: a\n- .inf\n- id: b\n", [1, 2, 3]],
  ])("gives each item of a YAML list its own line: %j", async (text, lines) => {
    const documents = await read("list.yaml", text);
    expect(documents.map(({ line }) => line)).toEqual(lines);
    expect(documents.filter((document) => "reason" in document)).toHaveLength(text.includes(".inf") ? 1 : 0);
  });

  it("unpacks gzip whatever the name says", async () => {
    expect(await read("x.ndjson.gz", gzipSync('{"id":"a"}\n{"id":"b"}'))).toEqual(two);
    expect(await read("packed.json", gzipSync('[{"id":"a"},\n{"id":"b"}]'))).toEqual(two);
    expect(await read("plain.json.gz", '{"id":"a"}\n{"id":"b"}')).toEqual(two);
  });

  it("says how many bytes it has read", async () => {
    const file = join(folder, "progress.ndjson");
    writeFileSync(file, '{"id":"a"}\n'.repeat(60_000));
    const seen: number[] = [];
    await collect(readDocuments(file, (bytes) => seen.push(bytes)));
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(660_000);
  });

  it("keeps a key __proto__ as data", async () => {
    for (const [name, text] of [
      ["p.json", '{"__proto__": {"a": 1}}'],
      ["p.yaml", "__proto__: {a: 1}"],
    ]) {
      const [document] = await read(name!, text!);
      expect(JSON.stringify(document)).toBe('{"line":1,"value":{"__proto__":{"a":1}}}');
    }
  });
});

describe("problems", () => {
  it("names the line of a bad one and reads on", async () => {
    const lines = await read("x.ndjson", '{"id":"a"}\n{"id":\n{"id":"b"}');
    expect(lines).toMatchObject([{ line: 1 }, { line: 2, reason: /^it is not valid JSON/ }, { line: 3 }].map(asMatch));
    const items = await read("x.json", '[{"id":"a"},\n{"id" 1},\n{"id":"b"}]');
    expect(items).toMatchObject([{ line: 1 }, { line: 2, reason: /^it is not valid JSON/ }, { line: 3 }].map(asMatch));
    const documents = await read("x.yaml", "id: a\n---\nid: [\n---\nid: b\n");
    expect(documents).toMatchObject([{ line: 1 }, { line: 3, reason: /line 4|line 3/ }, { line: 5 }].map(asMatch));
  });

  it.each(["terms.ttl", "terms.jsonld", "terms.rdf", "TERMS.TTL"])("says that RDF is not read: %s", async (name) => {
    expect(await read(name, '{"@context": {}, "@graph": []}')).toMatchObject([
      { line: 1, reason: expect.stringContaining("export NDJSON or CSV"), isEnd: true },
    ]);
  });

  it("stops where an array is broken", async () => {
    expect(await read("a.json", '[{"id":"a"},\n{"id":"b"}')).toMatchObject([
      { line: 1, value: { id: "a" } },
      { line: 2, reason: "the array does not end", isEnd: true },
    ]);
    expect(await read("b.json", '[{"id":"a"}}')).toMatchObject([{ line: 1, isEnd: true }]);
    expect(await read("c.json", "[1] 2")).toMatchObject([{ value: 1 }, { isEnd: true }]);
    expect(await read("d.json", "[1,]")).toMatchObject([{ value: 1 }, { reason: expect.stringMatching(/JSON/) }]);
  });

  it("says that bytes are not UTF-8, or gzip is cut", async () => {
    expect(await read("x.ndjson", Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject([
      { reason: expect.stringMatching(/^after here the file is not UTF-8; convert it/), isEnd: true },
    ]);
    const packed = gzipSync('{"id":"a"}\n'.repeat(1000));
    expect((await read("x.gz", packed.subarray(0, -20))).at(-1)).toMatchObject({ isEnd: true });
  });

  it("is known to break where reading it ends, without a look at the values of JSON lines", async () => {
    const breakOf = async (name: string, content: string | Uint8Array) => {
      const end = (await read(name, content)).find((document) => "isEnd" in document);
      expect(await findBreak(join(folder, name))).toEqual(end);
      return end;
    };
    const lines = '{"id":"a"}\n{\n\n{"id":"b"}\n'.repeat(20_000);
    expect(await breakOf("x.ndjson", lines)).toBeUndefined();
    expect(await breakOf("x.ndjson", Buffer.concat([Buffer.from(lines), Buffer.from([0xff])]))).toMatchObject({
      reason: expect.stringMatching(/^after here the file is not UTF-8; convert it/),
    });
    expect(await breakOf("x.gz", gzipSync(lines).subarray(0, -20))).toBeDefined();
    expect(await breakOf("x.json", '[{"id":"a"},\n{"id":"b"}')).toMatchObject({ line: 2 });
    expect(await breakOf("x.yaml", "id: [\n---\nid: b\n")).toBeUndefined();
  });

  it("refuses what is not JSON, or nests without end", async () => {
    expect(await read("x.yaml", "a: .nan")).toMatchObject([{ reason: "it holds a number without end" }]);
    const deepYaml = ["[".repeat(50_000), "- ".repeat(20_000), "? ".repeat(20_000), "{a: ".repeat(20_000)];
    const stairs = Array.from({ length: 500 }, (_, n) => `${" ".repeat(n)}a:`).join("\n");
    for (const text of [...deepYaml, stairs]) {
      const [document] = await read("y.yaml", text);
      expect(document).toMatchObject({
        line: 1,
        reason: expect.stringMatching(/nests deeper than 64 levels \(line \d+, /),
      });
    }
    expect(await read("z.yaml", `${"[".repeat(64)}${"]".repeat(64)}`)).toMatchObject([{ line: 1 }]);
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    expect(await read("x.ndjson", deep)).toMatchObject([{ reason: "it nests deeper than 64 levels" }]);
  });

  it("throws where the file is not there or is a folder", async () => {
    await expect(collect(readDocuments(join(folder, "none.json")))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(collect(readDocuments(folder))).rejects.toMatchObject({ code: "EISDIR" });
  });
});

function asMatch(one: { line: number; reason?: RegExp }): unknown {
  return one.reason === undefined ? one : { ...one, reason: expect.stringMatching(one.reason) };
}

describe("pieces", () => {
  const cut = async function* (text: string, lengths: readonly number[]): AsyncGenerator<string> {
    let at = 0;
    for (const length of lengths) {
      yield text.slice(at, at + length);
      at += length;
    }
    yield text.slice(at);
  };
  const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
  const cuts = fc.array(fc.nat(9), { maxLength: 30 });

  it("gives the same values however the text is cut and set", async () => {
    await fc.assert(
      fc.asyncProperty(values, cuts, fc.constantFrom(undefined, 1), async (items, lengths, indent) => {
        const wanted = JSON.parse(JSON.stringify(items)) as unknown[];
        const valuesOf = async (documents: AsyncIterable<FileDocument>): Promise<unknown[]> =>
          (await collect(documents)).map((document) => ("value" in document ? document.value : document));
        const array = JSON.stringify(items, null, indent);
        expect(await valuesOf(splitJson(cut(array, lengths)))).toEqual(wanted);
        const row = items.map((item) => JSON.stringify(item, null, indent)).join("\n");
        expect(await valuesOf(splitJson(cut(row, lengths)))).toEqual(wanted);
        const lines = items.map((item) => JSON.stringify(item)).join("\n");
        expect(await valuesOf(splitNdjson(cut(lines, lengths)))).toEqual(wanted);
        const yaml = items.map((item) => `---\n${JSON.stringify(item)}\n`).join("");
        expect(await valuesOf(splitYaml(cut(yaml, lengths)))).toEqual(wanted);
      }),
    );
  });
});
