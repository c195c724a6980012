import type { WordPlace } from "../../ports/search-index.js";
import type { Db } from "./database.js";
import { currentGeneration } from "./terms/generation.js";
import { makeEditTest } from "./within-edits.js";

/** Words within two edits of one, see `SearchIndex.nearestWords`. */
export function nearestWords(db: Db, where: WordPlace, word: string, limit: number): readonly string[] {
  const table = wordTable(db, where);
  if (table === undefined) return [];
  const [isNear, isNearer] = [makeEditTest(word, 2), makeEditTest(word, 1)];
  const words = db.sql<{ term: string; doc: number }>(`SELECT term, doc FROM ${table} WHERE term GLOB '[^_?~@=#:%^]*'`);
  const near = words.all().filter(({ term }) => isNear(term));
  near.sort(
    (a, b) => Number(isNearer(b.term)) - Number(isNearer(a.term)) || b.doc - a.doc || (a.term < b.term ? -1 : 1),
  );
  return near.slice(0, limit).map(({ term }) => term);
}

function wordTable(db: Db, where: WordPlace): string | undefined {
  if (where.in === "records") return "leaf_word";
  const generation = currentGeneration(db, where.vocabulary);
  return generation && `term_fts_word_${generation.g}`;
}
