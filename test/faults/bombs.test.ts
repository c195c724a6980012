/** Files that are small or endless and would cost minutes and gigabytes: reading each ends soon, with its reason. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { FileDocument } from "../../src/formats/documents.js";
import { findBreak, readCsv, readDocuments, splitDocuments } from "../../src/formats/read-documents.js";
import type { CsvRow } from "../../src/formats/split-csv.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-bombs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MIB = 1024 * 1024;

/** Members of gzip that follow on each other are one file: a large bomb is made quickly. */
function bomb(text: string, mebibytes: number): Buffer {
  const member = gzipSync(text.repeat(MIB / text.length));
  return Buffer.concat(Array.from({ length: mebibytes }, () => member));
}

function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function lastOf<T>(read: AsyncIterable<T>): Promise<T | undefined> {
  let last: T | undefined;
  for await (const each of read) last = each;
  return last;
}

const readEnd = (name: string, content: string | Uint8Array): Promise<FileDocument | CsvRow | undefined> => {
  const file = fileOf(name, content);
  return lastOf<FileDocument | CsvRow>(name.includes(".csv") ? readCsv(file) : readDocuments(file));
};

describe("gzip", () => {
  it.each([
    ["blank.ndjson.gz", "\n"],
    ["blank.yaml.gz", "\n"],
    ["blank.csv.gz", "\n"],
    ["spaces.json.gz", " "],
    ["spaces.gz", " \n"],
    ["line.ndjson.gz", "x"],
    ["lines.ndjson.gz", "x\n"],
    ["text.yaml.gz", "# x\n"],
    ["cell.csv.gz", "x"],
    ["carriage.csv.gz", "\r"],
  ])("ends %s by its ratio or its length", async (name, text) => {
    const end = await readEnd(name, bomb(text, 40));
    expect(end).toMatchObject({
      isEnd: true,
      reason: expect.stringMatching(/times as large|more than|on end|an item is too long/),
    });
    if (!name.includes(".csv")) expect(await findBreak(join(folder, name))).toMatchObject({ isEnd: true });
  });

  it("reads what repeats itself as real files do", async () => {
    const line = (i: number): string => `{"id":"taxid:${i}","title":{"en":"Escherichia coli"},"status":"active"}\n`;
    const text = Array.from({ length: 300_000 }, (_, i) => line(i)).join("");
    expect(text.length).toBeGreaterThan(16 * MIB);
    expect(await readEnd("real.ndjson.gz", gzipSync(text, { level: 9 }))).toMatchObject({ line: 300_000 });
  });

  it("does not unpack what is packed twice", async () => {
    expect(await readEnd("twice.ndjson.gz", gzipSync(gzipSync("{}")))).toMatchObject({ isEnd: true });
  });
});

/** Pieces of a text without an end; the test fails by its time if they are all read. */
async function* endless(piece: string): AsyncGenerator<string> {
  for (;;) yield piece;
}

describe("text", () => {
  it("counts commas as a part of a row", async () => {
    expect(await readEnd("columns.csv", `id${",".repeat(10_000_000)}\n`)).toMatchObject({
      ...{ line: 1, isEnd: true, reason: expect.stringContaining("more than 10000 cells") },
    });
  });

  it("passes over one line that is too long, and ends in one without an end", async () => {
    const long = `{"id":"${"x".repeat(LIMITS.documentLengthMax + MIB)}"}\n`;
    const file = fileOf("long.ndjson", `${long}{"id":"b"}\n`);
    const all: FileDocument[] = [];
    for await (const document of readDocuments(file)) all.push(document);
    expect(all).toMatchObject(
      [
        { line: 1, reason: /more than 16777216 characters/ },
        { line: 2, value: { id: "b" } },
      ].map((each) => ("reason" in each ? { ...each, reason: expect.stringMatching(each.reason) } : each)),
    );
    expect(await readEnd("endless.ndjson", `{}\n${"x".repeat(33 * MIB)}\n{}`)).toMatchObject({
      ...{ line: 1, isEnd: true, reason: expect.stringContaining("is this the right file?") },
    });
  });

  it("ends where no document can be read any more", async () => {
    expect(await readEnd("wrong.ndjson", "x\n".repeat(LIMITS.fileUnreadableMax + 10))).toMatchObject({
      ...{ line: LIMITS.fileUnreadableMax, isEnd: true, reason: expect.stringContaining("documents on end") },
    });
  });

  it("names UTF-16, and what is no text", async () => {
    const wide = Buffer.from('{"id":"a"}\n', "utf16le");
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), wide]);
    expect(await readEnd("marked.json", marked)).toMatchObject({ isEnd: true, reason: expect.stringMatching(/iconv/) });
    expect(await readEnd("plain.json", wide)).toMatchObject({
      isEnd: true,
      reason: expect.stringMatching(/NUL.*iconv/),
    });
  });

  it("ends JSON without an end", async () => {
    for (const text of ["[", '{"a":', '"x', "1 ", "[1,"]) {
      const end = await lastOf(splitDocuments("x.json", endless(text.repeat(100_000))));
      expect(end, text).toMatchObject({ isEnd: true });
    }
  });
});

describe("YAML", () => {
  const numbers = (count: number, lineOf: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => lineOf(i)).join("");
  const seconds = async (content: string): Promise<[FileDocument | CsvRow | undefined, number]> => {
    const start = process.cpuUsage();
    const end = await readEnd("bomb.yaml", content);
    const { user, system } = process.cpuUsage(start);
    return [end, (user + system) / 1e6];
  };

  it.each([
    ["a list", `[${"a,".repeat(4 * MIB)}]`, /signs/],
    ["nested lists", "[".repeat(4 * MIB), /signs/],
    ["lines", "- a\n".repeat(MIB), /signs/],
    [
      "aliases that grow",
      `n0: &n0 [x,x]\n${numbers(9, (i) => `n${i + 1}: &n${i + 1} [${`*n${i},`.repeat(9)}]\n`)}`,
      /alias/i,
    ],
    ["many aliases", numbers(20_000, (i) => `- &a${i} x\n- *a${i}\n`), /aliases/],
  ])("refuses %s soon", async (_, content, reason) => {
    const [end, cost] = await seconds(content);
    expect(end).toMatchObject({ reason: expect.stringMatching(reason) });
    expect(cost).toBeLessThan(10);
  });

  it("reads many keys in a time that grows with them, and names the place of one that is there twice", async () => {
    const keys = Array.from({ length: 40_000 }, (_, i) => `k${i}: 1\n`).join("");
    const [document, cost] = await seconds(keys);
    expect(document).toMatchObject({ value: { k39999: 1 } });
    expect(cost).toBeLessThan(5);
    expect(await readEnd("twice.yaml", `# none\n\na: 1\nb:\n  c: 1\n  c: 2\n`)).toMatchObject({
      reason: "it is not valid YAML: Map keys must be unique (line 6, column 3)",
    });
  });

  it("passes over any number of blank lines before a document", async () => {
    expect(await readEnd("late.yaml", `${"\n".repeat(MIB)}id: a\n`)).toEqual({ line: MIB + 1, value: { id: "a" } });
  });
});

describe("what is no file", () => {
  it("refuses devices and sockets at once", async () => {
    for (const device of ["/dev/zero", "/dev/null", "/dev/urandom"]) {
      await expect(lastOf(readDocuments(device))).rejects.toThrow("is a device, not a file");
    }
  });

  it("reads a pipe as a file, packed or not, however late it is written", async () => {
    const pipe = join(folder, "pipe.ndjson");
    execFileSync("mkfifo", [pipe]);
    for (const [name, content] of [
      ["plain", '{"id":"a"}\n{"id":"b"}\n'],
      ["packed", gzipSync('{"id":"a"}\n{"id":"b"}\n')],
    ] as const) {
      const source = fileOf(name, content);
      const writer = spawn("sh", ["-c", 'sleep 0.3; cat "$0" > "$1"', source, pipe]);
      expect(await lastOf(readDocuments(pipe))).toEqual({ line: 2, value: { id: "b" } });
      writer.kill();
    }
  });

  it("refuses a pipe into which nobody writes", { timeout: 30_000 }, async () => {
    const pipe = join(folder, "nobody");
    execFileSync("mkfifo", [pipe]);
    await expect(lastOf(readDocuments(pipe))).rejects.toThrow("Nobody writes into the pipe");
  });
});
