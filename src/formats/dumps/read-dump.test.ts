import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTar, makeZip } from "../../../test/support/make-archive.js";
import { DumpError, lineRuns } from "./dump-file.js";
import { readDump } from "./read-dump.js";

let folder: string;
let last = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-dumps-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, String(last++), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Text by name of a file. */
async function textsOf(path: string, isWanted = (_: string) => true): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const file of readDump(path)) {
    if (!isWanted(file.name)) continue;
    let text = "";
    for await (const piece of file.text()) text += piece;
    texts[file.name] = text;
  }
  return texts;
}

const LONG = "x".repeat(300_000);
const FILES = { "a.txt": "first\n", "empty.txt": "", "b/long.txt": LONG, "last.txt": "ä".repeat(1_000) };

describe("the files of a dump", () => {
  it("are those of a tar, a zip or a folder, packed by gzip or not", async () => {
    const name = "very/long/".repeat(30);
    const files = { ...FILES, [`${name}name.txt`]: "long" };
    expect(await textsOf(write("d.tar", makeTar(files)))).toEqual(files);
    expect(await textsOf(write("d.tar.gz", gzipSync(makeTar(files))))).toEqual(files);
    expect(await textsOf(write("d.zip", makeZip(files)))).toEqual(files);
    const parts = { "p/1.json.gz": gzipSync("one"), "p/2.json": "two" };
    const unpacked = { "p/1.json": "one", "p/2.json": "two" };
    expect(await textsOf(write("d.tar", makeTar(parts)))).toEqual(unpacked);
    expect(await textsOf(write("d.zip", makeZip(parts)))).toEqual(unpacked);
    const one = write("in/p/1.json.gz", parts["p/1.json.gz"]);
    writeFileSync(join(dirname(one), "2.json"), "two");
    expect(await textsOf(dirname(dirname(one)))).toEqual(unpacked);
    expect(await textsOf(write("rows.tab.gz", gzipSync("a\tb")))).toEqual({ "rows.tab": "a\tb" });
    expect(await textsOf(write("empty.txt", ""))).toEqual({ "empty.txt": "" });
  });

  it.each(["__MACOSX/a/._a.json", "__MACOSX/x", "a/._a.json", "._a.json", "a/.DS_Store", "Thumbs.db", "a/desktop.ini"])(
    "are not those that a system keeps beside them: %s",
    async (name) => {
      const files = { "a/a.json": "{}", [name]: Buffer.from([0, 5, 22, 7, 0xff]) };
      const only = { "a/a.json": "{}" };
      expect(await textsOf(write("d.zip", makeZip(files)))).toEqual(only);
      expect(await textsOf(write("d.tar.gz", gzipSync(makeTar(files))))).toEqual(only);
      const one = write("in/a/a.json", "{}");
      const root = dirname(dirname(one));
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), files[name]!);
      expect(await textsOf(root)).toEqual(only);
    },
  );

  it("are passed over where nobody reads them, or only their beginning", async () => {
    for (const file of [write("d.tar.gz", gzipSync(makeTar(FILES))), write("d.zip", makeZip(FILES))]) {
      expect(await textsOf(file, (name) => name === "last.txt")).toEqual({ "last.txt": FILES["last.txt"] });
      const names: string[] = [];
      for await (const { name, text } of readDump(file)) {
        names.push(name);
        for await (const _ of text()) break;
      }
      expect(names).toEqual(Object.keys(FILES));
    }
  });

  it("say when they were changed", async () => {
    const tar = makeTar({ a: "" }, new Date("2024-09-09T10:00:00Z"));
    for await (const { modified } of readDump(write("d.tar", tar))) {
      expect(modified?.toISOString()).toBe("2024-09-09T10:00:00.000Z");
    }
    for await (const { modified } of readDump(write("d.zip", makeZip({ a: "a" })))) {
      expect(modified?.toISOString()).toBe("2026-11-01T00:00:00.000Z");
    }
  });
});

describe("a dump that is damaged", () => {
  const cutAt = async (name: string, whole: Buffer, share: number): Promise<unknown> => {
    const file = write(name, whole.subarray(0, Math.floor(whole.length * share)));
    return textsOf(file).then(
      () => "read",
      (error: unknown) => error,
    );
  };

  it.each([0.1, 0.3, 0.5, 0.8, 0.95])("is refused where it was cut at %s of its length, with a cure", async (share) => {
    // Text that does not pack well, so that each share of the file is within a file of it.
    const random = Array.from({ length: 40_000 }, (_, i) => Math.sin(i).toString(36)).join("\n");
    const files = { "a.txt": random, "b.txt": random };
    for (const [name, whole] of [
      ["d.tar", makeTar(files)],
      ["d.tar.gz", gzipSync(makeTar(files))],
      ["d.zip", makeZip(files)],
      ["a.txt.gz", gzipSync(random)],
    ] as const) {
      const error = await cutAt(name, whole, share);
      expect(error, name).toBeInstanceOf(DumpError);
      expect((error as Error).message, name).toContain("download it again");
    }
  });

  it("is refused where a checksum is wrong", async () => {
    const zip = makeZip({ "a.txt": "text" });
    // Of the text in the directory.
    zip[zip.indexOf("PK\u0001\u0002") + 16]! ^= 1;
    await expect(textsOf(write("d.zip", zip))).rejects.toThrow("the checksum of a.txt is wrong");
    // The compressed size in the directory: the file would be read as empty.
    const emptied = makeZip({ "a.txt": "text" });
    emptied.writeUInt32LE(0, emptied.indexOf("PK\u0001\u0002") + 20);
    await expect(textsOf(write("e.zip", emptied))).rejects.toThrow("the checksum of a.txt is wrong");
    const tar = makeTar({ "a.txt": "text" });
    tar[0]! ^= 1;
    await expect(textsOf(write("d.tar", tar))).rejects.toThrow("the checksum of a header is wrong");
  });

  it("is refused where it needs a password", async () => {
    const zip = makeZip({ "a.txt": "text" });
    zip[zip.indexOf("PK\u0001\u0002") + 8]! |= 1;
    await expect(textsOf(write("d.zip", zip))).rejects.toThrow("password");
  });

  it("is refused where files of a zip share their bytes, or its directory leads out of it", async () => {
    const zip = makeZip({ "a.txt": "x" });
    const end = zip.length - 22;
    const directory = zip.readUInt32LE(end + 16);
    const entry = zip.subarray(directory, end);
    const tail = Buffer.from(zip.subarray(end));
    tail.writeUInt32LE(entry.length * 1_000, 12);
    const overlapping = Buffer.concat([
      zip.subarray(0, directory),
      ...Array.from({ length: 1_000 }, () => entry),
      tail,
    ]);
    await expect(textsOf(write("overlap.zip", overlapping))).rejects.toThrow("a.txt overlaps another file");
    for (const [at, value] of [
      [12, 0xffff_fff0],
      [16, 0xffff_fff0],
    ] as const) {
      const wrong = Buffer.from(zip);
      wrong.writeUInt32LE(value, end + at);
      await expect(textsOf(write("wrong.zip", wrong))).rejects.toThrow("damaged or cut off");
    }
  });

  it("is refused where it grows beyond reason by unpacking it, before it is unpacked", async () => {
    const zeros = Buffer.alloc(80 * 1024 * 1024, "0");
    for (const [name, bomb] of [
      ["bomb.gz", gzipSync(zeros)],
      ["bomb.tar.gz", gzipSync(makeTar({ a: zeros }))],
      ["bomb.zip", makeZip({ a: zeros })],
      ["bomb.tar", makeTar({ "a.gz": gzipSync(zeros) })],
    ] as const) {
      await expect(textsOf(write(name, bomb)), name).rejects.toThrow("times as large by unpacking");
    }
  });
});

describe("lines", () => {
  const linesOf = async (content: string | Uint8Array): Promise<readonly [number, string][]> => {
    const lines: [number, string][] = [];
    for await (const file of readDump(write("t.txt", content))) {
      for await (const { first, lines: some } of lineRuns(file)) {
        lines.push(...some.map((line, i): [number, string] => [first + i, line]));
      }
    }
    return lines;
  };

  it("are numbered, whatever ends them", async () => {
    expect(await linesOf("a\nb\r\n\nc")).toEqual([
      [1, "a"],
      [2, "b"],
      [3, ""],
      [4, "c"],
    ]);
    expect(await linesOf("")).toEqual([]);
    const many = Array.from({ length: 100_000 }, (_, i) => `line ${i}`);
    const read = await linesOf(`${many.join("\r\n")}\r\n`);
    expect(read.map(([, line]) => line)).toEqual(many);
    expect(read.at(-1)).toEqual([100_000, "line 99999"]);
  });

  it("are refused where they are too long or no UTF-8, with the place", async () => {
    await expect(linesOf(`a\nb\n${"c".repeat(2 ** 21)}`)).rejects.toMatchObject({ part: "t.txt", line: 3 });
    const text = "ok\n".repeat(300_000);
    const bad = Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])]);
    const error = await linesOf(bad).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ part: "t.txt", message: expect.stringContaining("not UTF-8") });
    expect((error as DumpError).line).toBeGreaterThan(200_000);
  });
});
