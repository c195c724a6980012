import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../src/core/json.js";
import { DumpError } from "../../src/formats/dumps/dump-file.js";
import type { Authority, DumpEntry, DumpOptions } from "../../src/ports/authorities.js";
import type { Files } from "./make-archive.js";

/** Slices of dumps that tests write, in the formats that authorities document. */
export interface DumpFolder {
  /** Writes a file. @returns its path */
  file(name: string, content: string | Uint8Array): string;
  /** Writes files into a folder of their own. @returns its path */
  folder(files: Files): string;
  dispose(): void;
}

export function makeDumpFolder(): DumpFolder {
  const root = mkdtempSync(join(tmpdir(), "bindery-authorities-"));
  let last = 0;
  const folder = (files: Files): string => {
    const made = join(root, String(last++));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(made, name)), { recursive: true });
      writeFileSync(join(made, name), content);
    }
    return made;
  };
  return {
    folder,
    file: (name, content) => join(folder({ [name]: content }), name),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What an authority reads in a dump; what ends it early is an entry too, as a load makes one of it. */
export async function entriesOf(authority: Authority, path: string, options: DumpOptions = {}): Promise<DumpEntry[]> {
  const all: DumpEntry[] = [];
  try {
    for await (const entries of authority.read(path, options)) all.push(...entries);
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    all.push({ part: error.part ?? "", line: error.line ?? 1, reason: error.message, isEnd: true });
  }
  return all;
}

/** The items among entries, by id. */
export function itemsOf(entries: readonly DumpEntry[]): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(entries.flatMap((each) => ("item" in each ? [[String(each.item.id), each.item]] : [])));
}

/** `nodes.dmp:3: the parent ...` of each place that was refused. */
export function reasonsOf(entries: readonly DumpEntry[]): readonly string[] {
  return entries.flatMap((each) => ("reason" in each ? [`${each.part}:${each.line}: ${each.reason}`] : []));
}

/** A row of a taxdump. */
export const dmp = (...columns: readonly (string | number)[]): string => `${columns.join("\t|\t")}\t|\n`;

/** A taxon as a test writes it: rank, scientific name, and other names with their class. */
export interface Taxon {
  readonly id: number;
  readonly parent: number;
  readonly rank: string;
  readonly name: string;
  readonly others?: readonly (readonly [name: string, kind: string])[];
}

/** The tables of a taxdump, with the columns of the official ones that are empty in ours. */
export function taxdump(
  taxa: readonly Taxon[],
  { merged = [], deleted = [] }: { merged?: readonly (readonly [number, number])[]; deleted?: readonly number[] } = {},
): Record<"nodes.dmp" | "names.dmp" | "merged.dmp" | "delnodes.dmp", string> {
  const names = taxa.flatMap(({ id, name, others = [] }) => [
    ...others.map(([text, kind]) => dmp(id, text, "", kind)),
    dmp(id, name, "", "scientific name"),
  ]);
  return {
    "delnodes.dmp": deleted.map((id) => dmp(id)).join(""),
    "merged.dmp": merged.map(([old, now]) => dmp(old, now)).join(""),
    // Before the nodes, as the alphabet has it and the official archive.
    "names.dmp": names.join(""),
    "nodes.dmp": taxa.map(({ id, parent, rank }) => dmp(id, parent, rank, "", 0, 1, 11, 1, 0, 1, 1, 0, "")).join(""),
  };
}

/** Facts of the NCBI taxonomy (public domain). */
export const TAXA: readonly Taxon[] = [
  { id: 1, parent: 1, rank: "no rank", name: "root" },
  { id: 2, parent: 131567, rank: "superkingdom", name: "Bacteria", others: [["eubacteria", "genbank common name"]] },
  { id: 543, parent: 2, rank: "family", name: "Enterobacteriaceae" },
  { id: 561, parent: 543, rank: "genus", name: "Escherichia", others: [["Escherchia", "misspelling"]] },
  {
    id: 562,
    parent: 561,
    rank: "species",
    name: "Escherichia coli",
    others: [
      ['"Bacillus coli" Migula 1895', "authority"],
      ["ATCC 11775", "type material"],
      ["Bacillus coli", "synonym"],
      ["E. coli", "common name"],
      ["Escherichia sp. MAR", "includes"],
    ],
  },
  { id: 83333, parent: 562, rank: "strain", name: "Escherichia coli K-12" },
  { id: 131567, parent: 1, rank: "no rank", name: "cellular organisms" },
];
