import { addLeftEntries } from "../../verify/compare-changes.js";
import { compareLife, type StoredLife } from "../../verify/compare-item.js";
import type { VerifyContext, VerifyingItems } from "./verify-context.js";

/** What a generation says of itself: how many items there are, which rows are deleted, no id twice or also gone. */
export function checkGeneration(verifying: VerifyingItems): void {
  const { vocabulary, generation, report } = verifying;
  const number = (sql: string): number => generation.sql<number | null>(sql).pluck().get() ?? 0;
  const compare = (what: string, expected: number, found: number): void => {
    const noted = { check: "generation.counters", where: vocabulary.name };
    const counts = { expected: `${what} ${expected}`, found: `${what} ${found}` };
    report.compare({ ...noted, ...counts }, ["vocabularies", vocabulary.name]);
  };
  compare("count", number("SELECT count(*) FROM term_$g"), generation.count);
  compare("next", Math.max(generation.next, number("SELECT max(id) FROM term_$g") + 1), generation.next);
  const isLive = "SELECT 1 FROM term_$g t WHERE t.id =";
  compare("dead rows", 0, number(`SELECT count(*) FROM dead_$g d WHERE EXISTS (${isLive} d.id)`));
  const dead = number("SELECT count(*) FROM dead_$g WHERE id <= (SELECT ranked FROM generation WHERE g = $g)");
  compare("ranked", number(`SELECT count(*) FROM term_$g WHERE id <= ${generation.ranked}`) + dead, generation.ranked);
  if (generation.writes === 0 && dead === 0)
    compare("active", number("SELECT count(*) FROM term_$g WHERE status = 0"), generation.active);
  checkRepeats(verifying);
  checkLives(verifying);
}

/** No id twice. */
function checkRepeats({ vocabulary, generation, report }: VerifyingItems): void {
  const repeats = generation.sql<string>(
    `SELECT t.ext FROM term_$g t WHERE t.ext IN (
       SELECT e.ext FROM ext_$g e GROUP BY e.ext HAVING count(*) > count(DISTINCT e.ext COLLATE BINARY))
     AND EXISTS (SELECT 1 FROM term_$g u WHERE u.id > t.id AND u.ext = t.ext COLLATE BINARY)`,
  );
  for (const ext of repeats.pluck().all()) {
    const noted = { check: "items.repeats", where: `${vocabulary.name}/${ext}`, expected: "one row", found: "several" };
    report.add(noted, ["vocabularies", vocabulary.name]);
  }
}

/** What is an item is not gone, and what was replaced has a successor. */
function checkLives({ db, vocabulary, generation, report }: VerifyingItems): void {
  const { g } = generation;
  const lives = db.sql<Omit<StoredLife, "isItem"> & { readonly isItem: number }>(
    `SELECT l.ext, l.state, l.successor, EXISTS (SELECT 1 FROM ext_${g} e JOIN term_${g} t ON t.id = e.id
       WHERE e.ext = l.ext AND t.ext = l.ext COLLATE BINARY) AS isItem
     FROM life l WHERE l.vocabulary = ?`,
  );
  for (const { isItem, ...life } of lives.all(vocabulary.name)) {
    compareLife(report, vocabulary.name, { ...life, isItem: isItem === 1 }, ["vocabularies", vocabulary.name]);
  }
}

/** Tables of generations that nothing knows, and entries of imports that never came to be. */
export function checkLeftovers({ db, report }: VerifyContext): void {
  const names = db
    .sql<string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'term_[0-9]*'")
    .pluck();
  const isKnown = db.sql("SELECT 1 FROM generation WHERE g = ?");
  for (const name of names.all()) {
    const g = Number(name.slice("term_".length));
    if (!Number.isInteger(g) || isKnown.get(g) !== undefined) continue;
    const noted = { check: "generation.leftovers", where: name, expected: "no table" };
    report.add({ ...noted, found: "a table of no vocabulary" }, ["leftovers", g]);
  }
  const redirects = db.sql<number>("SELECT DISTINCT g FROM redirect WHERE g NOT IN (SELECT g FROM generation)").pluck();
  for (const g of redirects.all()) {
    const noted = { check: "generation.leftovers", where: `redirects ${g}`, expected: "no redirects" };
    report.add({ ...noted, found: "redirects of no vocabulary" }, ["leftovers", g]);
  }
  const loads = db.sql<number>(
    `SELECT DISTINCT load FROM term_history WHERE load IS NOT NULL AND load NOT IN (SELECT g FROM generation)
     AND load NOT IN (SELECT g FROM term_load)`,
  );
  for (const number of loads.pluck().all()) addLeftEntries(report, "load", number, ["leftovers", number]);
  const imports = db.sql<number>(
    `SELECT DISTINCT import FROM change_term WHERE import NOT IN (SELECT g FROM generation)
     AND CAST(import AS TEXT) NOT IN (SELECT id FROM change WHERE kind = 'term' AND action = 'imported')`,
  );
  for (const number of imports.pluck().all()) addLeftEntries(report, "import", number, ["leftovers", number]);
}
