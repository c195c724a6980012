import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readCatalog } from "../../src/app/composition/read-catalog.js";
import type { TermContent } from "../../src/core/term.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import { CATALOG_FOLDER, clock, untilRest } from "./build-records.js";
import { makePicker, type TermPicks } from "./pick-terms.js";
import { dumpedTaxa, generatedTaxa } from "./taxonomy.js";

export const VOCABULARY = "organisms";

export interface BuiltTerms {
  readonly folder: string;
  readonly picks: TermPicks;
  /** Absent where the folder was there already. */
  readonly itemsPerSecond?: number;
}

/** A data folder with one large vocabulary, kept below `place`. @param taxdump absent: `size` generated items */
export async function buildTerms(size: number, place: string, taxdump?: string): Promise<BuiltTerms> {
  const folder = join(place, taxdump === undefined ? `terms-${size}` : `terms-${basename(taxdump)}`);
  const kept = join(folder, "picks.json");
  if (existsSync(kept)) return { folder, picks: JSON.parse(readFileSync(kept, "utf8")) as TermPicks };
  rmSync(folder, { recursive: true, force: true });
  const unfinished = `${folder}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const catalog = readCatalog([CATALOG_FOLDER]);
  const engine = openSqlite({ folder: unfinished, catalog, clock, role: "writer", searchTimeoutMs: 60_000 });
  const vocabulary = catalog.vocabularies.get(VOCABULARY)!;
  const picker = makePicker();
  const watched = async function* (): AsyncGenerator<TermContent> {
    for await (const item of taxdump === undefined ? generatedTaxa(size) : dumpedTaxa(taxdump, vocabulary)) {
      picker.see(item);
      yield item;
    }
  };
  const begun = performance.now();
  let seconds: number;
  try {
    await engine.store.loadTerms(VOCABULARY, watched());
    seconds = (performance.now() - begun) / 1_000;
    await untilRest(unfinished);
  } finally {
    await engine.close();
  }
  const picks = picker.picks();
  renameSync(unfinished, folder);
  writeFileSync(kept, JSON.stringify(picks));
  return { folder, picks, itemsPerSecond: picks.items / seconds };
}
