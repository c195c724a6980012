import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { makeOrganism } from "../support/items.js";
import { makeRecord } from "../support/records.js";

/** A file that an operator might be handed, and the command that reads it. */
export interface HostileFile {
  readonly name: string;
  readonly command: readonly string[];
  /** Makes the content; it may be many megabytes. */
  readonly content: () => Buffer | string;
}

const MEGABYTE = 1024 * 1024;
const item = JSON.stringify(makeOrganism(1));
const record = JSON.stringify(makeRecord(1));

/** A gzip file of members that repeat one block: gigabytes in a moment. */
const bomb = (block: string, blocks: number): Buffer => {
  const member = gzipSync(block.repeat(Math.ceil(MEGABYTE / block.length)));
  return Buffer.concat(Array.from({ length: blocks }, () => member));
};

const CONTENTS: readonly (readonly [ending: string, content: () => Buffer | string])[] = [
  ["jsonl.gz", () => bomb("\n", 1_500)],
  ["jsonl.gz", () => bomb(" ", 1_500)],
  ["jsonl.gz", () => bomb(`${item}\n`, 3).subarray(0, 2_000)],
  ["jsonl.gz", () => gzipSync(bomb("\n", 10))],
  ["jsonl", () => "\n".repeat(20 * MEGABYTE)],
  ["jsonl", () => "{".repeat(5 * MEGABYTE)],
  ["jsonl", () => `{"id":"taxid:1","title":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`],
  ["jsonl", () => `{"id":"taxid:90000001","title":{"en":"${"a".repeat(30 * MEGABYTE)}"}}\n`],
  ["jsonl", () => `${item}\n`.repeat(2_000)],
  ["jsonl", () => `\ufeff${item}\n${item.slice(0, 40)}\n${item}`],
  ["jsonl", () => Buffer.from(`${item}\n`, "utf16le")],
  ["jsonl", () => Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0xc3, 0x28, 0x0a])],
  ["jsonl", () => ""],
  ["jsonl", () => `${record}\n{"metadata":{"\\u001b[31m":"\\u0007"}}\n`],
  ["yaml", () => `a0: &a0 [x, x]\n${levels((n) => `a${n}: &a${n} [*a${n - 1}, *a${n - 1}, *a${n - 1}]\n`)}`],
  ["yaml", () => `${"- ".repeat(20_000)}x\n`],
  ["yaml", () => "[".repeat(100_000)],
  ["yaml", () => `id: taxid:90000002\ntitle: {en: "${"\\u001b[2J".repeat(1_000)}"}\n`],
  ["json", () => `[${`${record},`.repeat(500)}${record}]`],
  ["json", () => `${"[".repeat(1_000_000)}`],
  ["csv", () => `id,title\n"taxid:90000003,${"x".repeat(30 * MEGABYTE)}`],
  ["csv", () => `${"a,".repeat(1_000_000)}\n`],
  ["csv.gz", () => bomb(",", 300)],
];

function levels(line: (n: number) => string): string {
  return Array.from({ length: 60 }, (_, n) => line(n + 1)).join("");
}

const COMMANDS: readonly (readonly string[])[] = [
  ["import", "vocabulary", "organisms"],
  ["import", "vocabulary", "organisms", "--dry-run"],
  ["import", "records", "mst", "--owner", "alice"],
  ["validate", "mst"],
  ["match", "affiliations"],
];

export const hostileFile: fc.Arbitrary<HostileFile> = fc
  .tuple(fc.constantFrom(...CONTENTS), fc.constantFrom(...COMMANDS))
  .map(([[ending, content], command]) => ({ name: `hostile.${ending}`, command, content }));

/** Writes the file. @returns the arguments of the program that read it */
export function writeHostileFile(folder: string, { name, command, content }: HostileFile): string[] {
  const file = join(folder, name);
  writeFileSync(file, content());
  const [first, ...rest] = command;
  const options = rest.filter((_, n) => rest.slice(0, n + 1).some((word) => word.startsWith("--")));
  return [first!, ...rest.slice(0, rest.length - options.length), file, ...options];
}
