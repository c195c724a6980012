import type { Clause } from "../../../query/index-model/clause.js";
import { compilePattern } from "../../../query/text/fits-pattern.js";
import type { Words } from "./lexicon.js";

/** A clause whose words are taken from the index: FTS5 has neither wildcards inside a word nor typos. */
export type ExpandedClause = Extract<Clause, { kind: "wildcard" | "fuzzy" }>;

/** The words of the index that the clause asks for; some may be in no row any more. */
export type ExpandWords = (clause: ExpandedClause) => readonly string[];

/** Asks for the words of each clause once. */
export function makeExpandWords(words: () => Words): ExpandWords {
  const known = new Map<string, readonly string[]>();
  return (clause) => {
    const wanted = clause.kind === "fuzzy" ? `${clause.word} ${clause.edits}` : clause.pattern;
    const found = known.get(wanted) ?? expandWords(words(), clause);
    known.set(wanted, found);
    return found;
  };
}

function expandWords(words: Words, clause: ExpandedClause): readonly string[] {
  if (clause.kind === "fuzzy") return words.similar(clause);
  const beginning = /^[^*?]*/u.exec(clause.pattern)![0];
  const { test } = compilePattern(clause.pattern.slice(beginning.length));
  return words.beginning(beginning, test);
}
