import type { VerifyingItems } from "./check-items.js";
import { ofVocabulary, type VocabularyRepairs } from "./repair-plan.js";

/** What a generation says of itself: how many items there are, which rows are deleted, no id twice or also gone. */
export function checkGeneration(verifying: VerifyingItems): void {
  const { vocabulary, generation, report } = verifying;
  const number = (sql: string): number => generation.sql<number | null>(sql).pluck().get() ?? 0;
  const compare = (what: string, expected: number, found: number): void => {
    const noted = {
      check: "generation.counters",
      where: vocabulary.name,
      expected: `${what} ${expected}`,
      found: `${what} ${found}`,
    };
    report.compare(noted, remake(verifying));
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

const remake =
  ({ vocabulary }: VerifyingItems) =>
  (plan: Parameters<typeof ofVocabulary>[0]): VocabularyRepairs => {
    const repair = ofVocabulary(plan, vocabulary.name);
    repair.remake = true;
    return repair;
  };

/** No id twice. */
function checkRepeats(verifying: VerifyingItems): void {
  const { vocabulary, generation, report } = verifying;
  const repeats = generation.sql<{ id: number; ext: string }>(
    `SELECT t.id, t.ext FROM term_$g t WHERE t.ext IN (
       SELECT e.ext FROM ext_$g e GROUP BY e.ext HAVING count(*) > count(DISTINCT e.ext COLLATE BINARY))
     AND EXISTS (SELECT 1 FROM term_$g u WHERE u.id > t.id AND u.ext = t.ext COLLATE BINARY)`,
  );
  for (const { id, ext } of repeats.all()) {
    const noted = { check: "items.repeats", where: `${vocabulary.name}/${ext}`, expected: "one row", found: "several" };
    report.add(noted, (plan) => remake(verifying)(plan).repeats.add(id));
  }
}

/** What is an item is not gone, and what was replaced has a successor. */
function checkLives({ db, vocabulary, generation, report }: VerifyingItems): void {
  const { g } = generation;
  const lives = db.sql<{ ext: string; state: string; successor: string | null; id: number | null }>(
    `SELECT l.ext, l.state, l.successor, (SELECT t.id FROM ext_${g} e JOIN term_${g} t ON t.id = e.id
       WHERE e.ext = l.ext AND t.ext = l.ext COLLATE BINARY) AS id
     FROM life l WHERE l.vocabulary = ?`,
  );
  for (const { ext, state, successor, id } of lives.all(vocabulary.name)) {
    const where = `${vocabulary.name}/${ext}`;
    if (id !== null) {
      report.add({ check: "items.lives", where, expected: "an item, or gone", found: `an item and ${state}` }, (plan) =>
        ofVocabulary(plan, vocabulary.name).lives.add(ext),
      );
    }
    if ((state === "replaced") !== (successor !== null)) {
      const expected = state === "replaced" ? "a successor" : "no successor";
      report.add({ check: "items.lives", where, expected, found: successor ?? "none" });
    }
  }
}
