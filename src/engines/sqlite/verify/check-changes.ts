import { endOfRecords } from "./record-cursor.js";
import { nameOf, type VerifyContext } from "./verify-context.js";

/** The change table is whole, in order, and its times never go back. */
export function checkChangeOrder({ db, report }: VerifyContext): void {
  const changes = db.raw.prepare<[], [number, number]>("SELECT seq, time FROM change ORDER BY seq").raw();
  let [lastSeq, lastTime] = [0, 0];
  for (const [seq, time] of changes.iterate() as IterableIterator<[number, number]>) {
    report.progress("changes", seq);
    report.compare({
      check: "changes.order",
      where: `change ${seq}`,
      expected: `number ${lastSeq + 1}`,
      found: `number ${seq}`,
    });
    if (time < lastTime) {
      report.add({
        check: "changes.order",
        where: `change ${seq}`,
        expected: `time ${lastTime} or later`,
        found: `time ${time}`,
      });
    }
    [lastSeq, lastTime] = [seq, Math.max(time, lastTime)];
  }
}

interface ChangeRow {
  readonly seq: number;
  readonly action: string;
  readonly place: string;
  readonly id: string;
  readonly state: "draft" | "published";
  readonly revision: number;
  readonly rec: number;
}

const NONE = 0;
const ALIVE = 1;
const REMOVED = 2;

/** The last change of each row of a record. */
class LastChanges {
  readonly #revisions: number[] = [];
  readonly #kinds: Uint8Array;

  constructor(end: number) {
    this.#kinds = new Uint8Array(end);
  }

  set({ rec, action, revision }: ChangeRow): void {
    this.#kinds[rec] = action === "removed" ? REMOVED : ALIVE;
    this.#revisions[rec] = revision;
  }

  kindOf = (row: number): number => this.#kinds[row] ?? NONE;
  revisionOf = (row: number): number => this.#revisions[row] ?? 0;
}

const RECORD_CHANGES = `SELECT seq, action, place, id, state, revision, rec FROM change
  WHERE kind = 'record' AND action <> 'reindexed' AND rec IS NOT NULL ORDER BY seq`;

/** The last change of a record names its revision, and the last one of a record that is gone says so. */
export function checkRecordChanges({ db, report }: VerifyContext): void {
  const last = db.sql<number | null>("SELECT max(rec) FROM change").pluck().get() ?? 0;
  const end = Math.max(endOfRecords(db), last + 1);
  const changes = new LastChanges(end);
  for (const change of db.raw.prepare<[], ChangeRow>(RECORD_CHANGES).iterate()) {
    report.progress("changes of records", change.seq);
    changes.set(change);
  }
  const isThere = new Uint8Array(end);
  const rows = db.raw.prepare<[], { id: number; pid: string; state: number; model: string; revision: number }>(
    "SELECT id, pid, state, model, revision FROM rec ORDER BY id",
  );
  for (const { id: row, pid: id, state, model, revision } of rows.iterate()) {
    isThere[row] = 1;
    const isNoted = changes.kindOf(row) === ALIVE && changes.revisionOf(row) === revision;
    if (isNoted) continue;
    const found = [`no change`, `revision ${changes.revisionOf(row)}`, "removed"][changes.kindOf(row)];
    const unnoted = { row, id, model, revision, state: state === 0 ? "draft" : "published" } as const;
    const noted = {
      check: "changes.records",
      where: nameOf(id, state),
      expected: `last change: revision ${revision}`,
      found,
    };
    report.add(noted, (plan) => plan.changes.push(unnoted));
  }
  checkRemovals({ db, report }, changes, isThere);
}

function checkRemovals(
  { db, report }: Pick<VerifyContext, "db" | "report">,
  changes: LastChanges,
  isThere: Uint8Array,
): void {
  const find = db.sql<ChangeRow>(`SELECT seq, action, place, id, state, revision, rec FROM change
    WHERE kind = 'record' AND action <> 'reindexed' AND rec = ? ORDER BY seq DESC LIMIT 1`);
  for (let row = 0; row < isThere.length; row++) {
    if (isThere[row] === 1 || changes.kindOf(row) !== ALIVE) continue;
    const { id, place: model, state, revision } = find.get(row)!;
    const noted = {
      check: "changes.records",
      where: nameOf(id, state),
      expected: "last change: removed",
      found: `revision ${revision}`,
    };
    report.add(noted, ({ removals }) => removals.push({ row, id, model, state, revision }));
  }
}
