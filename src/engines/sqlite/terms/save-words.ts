import { showLife } from "./claim.js";
import type { Generation } from "./generation.js";
import type { Loader } from "./loader.js";
import { isWord } from "./tokens.js";

/** Tokens that are read in one go: some milliseconds. */
const TOKENS_AT_ONCE = 4_000;

/** Saves the words of the filled generation in their order: they are read from here in one go, and often. */
export async function saveWords(loader: Loader, generation: Generation): Promise<void> {
  const some = generation
    .sql<string>(`SELECT term FROM term_fts_word_$g WHERE term > ? ORDER BY term LIMIT ${TOKENS_AT_ONCE}`)
    .pluck();
  const save = generation.sql("INSERT INTO word_$g(words) VALUES(?)");
  let last = "";
  await loader.steps((isLate) => {
    showLife(loader.db, generation.g);
    for (;;) {
      const tokens = some.all(last);
      const words = tokens.filter(isWord);
      if (words.length > 0) save.run(words.join(" "));
      if (tokens.length < TOKENS_AT_ONCE) return "done";
      last = tokens.at(-1)!;
      if (isLate()) return "more";
    }
  });
}
