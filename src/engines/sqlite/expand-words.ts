import type { Db } from "./database.js";
import { type Deadline, ROWS_BETWEEN_CHECKS } from "./deadline.js";
import { compilePattern } from "./fits-pattern.js";

/** Sorts after every character that a token holds. */
const AFTER_ALL = "\u{10ffff}";

/**
 * Finds the tokens of the index that begin in a given way and go on by a pattern of `*` and `?`; each question is asked
 * once per search.
 */
export function makeExpand(db: Db, deadline: Deadline): (beginning: string, rest: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (beginning, rest) => {
    const question = `${beginning} ${rest}`;
    const found = known.get(question) ?? expand(db, deadline, beginning, rest);
    known.set(question, found);
    return found;
  };
}

function expand(db: Db, deadline: Deadline, beginning: string, rest: string): string[] {
  const pattern = compilePattern(rest);
  const tokens = db.sql<string>("SELECT term FROM leaf_word WHERE term >= ? AND term < ?").pluck();
  const found: string[] = [];
  let seen = 0;
  for (const token of tokens.iterate(beginning, beginning + AFTER_ALL)) {
    if (++seen % ROWS_BETWEEN_CHECKS === 0) deadline.check();
    if (pattern.test(token.slice(beginning.length))) found.push(token);
  }
  return found;
}
