import type { VerifyingItems } from "./check-items.js";
import type { VerifyContext } from "./verify-context.js";

interface TermChange {
  readonly seq: number;
  readonly action: string;
  readonly id: string;
  readonly revision: number;
}

/** The last change of each item names its revision; the last one of an id that is gone says that it was removed. */
export function checkTermChanges(verifying: VerifyingItems): void {
  const { db, vocabulary, generation, report } = verifying;
  const revisions = new Uint32Array(generation.next);
  const gone = new Map<string, number>();
  const find = generation
    .sql<number>("SELECT t.id FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY")
    .pluck();
  const take = ({ action, id, revision }: Omit<TermChange, "seq">): void => {
    const row = find.get(id, id);
    if (row !== undefined) revisions[row] = action === "removed" ? 0 : revision;
    else if (action === "removed") gone.set(id, revision);
    else gone.delete(id);
  };
  const entries = db.sql<TermChange>(
    "SELECT n AS seq, id, action, revision FROM change_term WHERE import = ? ORDER BY n",
  );
  const changes = db.raw.prepare<[string], TermChange>(
    "SELECT seq, action, id, revision FROM change WHERE kind = 'term' AND place = ? ORDER BY seq",
  );
  for (const change of changes.iterate(vocabulary.name)) {
    if (change.action !== "imported") take(change);
    else takeEntries(verifying, entries.iterate(Number(change.id)), change.seq, take);
  }
  const unnoted = (id: string, expected: string, found: string): void => {
    const where = `${vocabulary.name}/${id}`;
    report.add({ check: "changes.terms", where, expected, found }, ({ termChanges }) =>
      termChanges.push({ vocabulary: vocabulary.name, id }),
    );
  };
  for (const { id, ext, revision } of generation
    .sql<{ id: number; ext: string; revision: number }>("SELECT id, ext, revision FROM term_$g ORDER BY id")
    .iterate()) {
    if (revisions[id] !== revision) unnoted(ext, `last change: revision ${revision}`, `revision ${revisions[id]}`);
  }
  const lives = db.sql<{ ext: string; revision: number }>("SELECT ext, revision FROM life WHERE vocabulary = ?");
  for (const { ext, revision } of lives.all(vocabulary.name)) {
    // An item that is there as well is a finding of its own.
    if (find.get(ext, ext) !== undefined || gone.get(ext) === revision) continue;
    unnoted(ext, `last change: removed, revision ${revision}`, `${gone.get(ext) ?? "none"}`);
  }
}

function takeEntries(
  { vocabulary, report }: VerifyingItems,
  entries: IterableIterator<TermChange>,
  seq: number,
  take: (change: TermChange) => void,
): void {
  let count = 0;
  for (const entry of entries) {
    report.progress(`changes of ${vocabulary.name}`, ++count);
    take(entry);
  }
  if (count > 0) return;
  report.add({
    check: "changes.imports",
    where: `change ${seq}`,
    expected: "the entries of the import",
    found: "none",
  });
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
    const noted = {
      check: "generation.leftovers",
      where: name,
      expected: "no table",
      found: "a table of no vocabulary",
    };
    report.add(noted, ({ generations }) => generations.add(g));
  }
  const imports = db.sql<number>(
    `SELECT DISTINCT import FROM change_term WHERE import NOT IN (SELECT g FROM generation)
     AND CAST(import AS TEXT) NOT IN (SELECT id FROM change WHERE kind = 'term' AND action = 'imported')`,
  );
  for (const number of imports.pluck().all()) {
    const noted = {
      check: "changes.imports",
      where: `import ${number}`,
      expected: "no entries",
      found: "entries of no change",
    };
    report.add(noted, (plan) => plan.imports.add(number));
  }
}
