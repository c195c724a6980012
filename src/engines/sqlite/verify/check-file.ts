import { ofVocabulary } from "./repair-plan.js";
import type { VerifyContext } from "./verify-context.js";

/** Problems that SQLite lists at most. */
const PROBLEMS_MAX = 1_000;

/**
 * SQLite's own check of pages, tables and indexes, which asks the full-text tables to check themselves too. A problem
 * of an index or of a full-text table is mendable; one of a table is not.
 */
export function checkFile({ db, report }: VerifyContext): void {
  const problems = db.raw.prepare<[], string>(`PRAGMA integrity_check(${PROBLEMS_MAX})`).pluck().all();
  for (const problem of problems) {
    if (problem === "ok") continue;
    const noted = { check: "file.integrity", where: "the file", expected: "ok", found: problem };
    const text = /(?:from table "|FTS5 table \w+\.)(\w+)/i.exec(problem)?.[1];
    const index = /(?:missing from|entries in) index (\w+)/.exec(problem)?.[1];
    if (text === "leaf" || text === "elem") report.add(noted, ({ tables }) => tables.add(text));
    else if (text !== undefined) report.add(noted, remakeOf(db, text));
    else if (index !== undefined && !index.startsWith("sqlite_"))
      report.add(noted, ({ indexes }) => indexes.add(index));
    else report.add(noted);
  }
}

/** @param table a full-text table of a generation */
function remakeOf(
  db: VerifyContext["db"],
  table: string,
): ((plan: Parameters<typeof ofVocabulary>[0]) => void) | undefined {
  const g = Number(/_(\d+)$/.exec(table)?.[1]);
  const vocabulary = db.sql<string>("SELECT vocabulary FROM generation WHERE g = ?").pluck().get(g);
  if (vocabulary === undefined) return undefined;
  return (plan) => {
    ofVocabulary(plan, vocabulary).remake = true;
  };
}
