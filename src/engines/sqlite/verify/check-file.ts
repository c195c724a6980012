import type { Db } from "../connection/database.js";
import type { FileUnit } from "./file-plan.js";
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
    report.add({ check: "file.integrity", where: "the file", expected: "ok", found: problem }, unitOf(db, problem));
  }
}

/** What has to be made again where SQLite reports a problem. */
function unitOf(db: Db, problem: string): FileUnit | undefined {
  const text = /(?:from table "|FTS5 table \w+\.)(\w+)/i.exec(problem)?.[1];
  const index = /(?:missing from|entries in) index (\w+)/.exec(problem)?.[1];
  if (text === "leaf" || text === "elem") return ["tables", "text"];
  if (text === undefined) return index === undefined || index.startsWith("sqlite_") ? undefined : ["indexes", index];
  const g = Number(/_(\d+)$/.exec(text)?.[1]);
  const vocabulary = db.sql<string>("SELECT vocabulary FROM generation WHERE g = ?").pluck().get(g);
  return vocabulary === undefined ? undefined : ["vocabularies", vocabulary];
}
