import { addAll } from "../../../core/arrays.js";
import { fail } from "../../../core/errors.js";
import { formatInstant } from "../../../core/time.js";
import {
  type ChangeFilter,
  type ChangeKind,
  type ChangePage,
  type ChangePageRequest,
  type ChangePlace,
  type ChangeReader,
  type FeedChange,
  FIRST_PLACE,
} from "../../../ports/changes.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

interface Row {
  readonly seq: number;
  readonly time: number;
  readonly kind: ChangeKind;
  readonly action: FeedChange["action"] | "imported";
  readonly place: string;
  /** Of an import its number. */
  readonly id: string;
  readonly revision: number;
}

interface Entry {
  readonly n: number;
  readonly id: string;
  readonly action: FeedChange["action"];
  readonly revision: number;
}

/** As the index `change_shown` says it. */
const SHOWN = "(kind = 'term' OR state = 'published')";

const ROWS = `SELECT seq, time, kind, action, place, id, revision FROM change INDEXED BY change_shown
  WHERE ${SHOWN} AND seq >= ? AND seq <= ? ORDER BY seq LIMIT ?`;
const ENTRIES = "SELECT n, id, action, revision FROM change_term WHERE import = ? AND n > ? ORDER BY n LIMIT ?";
const LAST_SHOWN = `SELECT seq FROM change INDEXED BY change_shown WHERE ${SHOWN} ORDER BY seq DESC LIMIT 1`;

/** Each page is one state of the file. Its rows are for ever, so pages read one after the other fit together. */
export function makeChangeReader(db: Db): ChangeReader {
  return {
    page: (request) => reading(() => db.read(() => readPage(db, request))),
    head: () => reading(() => headPlace(db)),
    lastShown: () => reading(() => db.sql<number>(LAST_SHOWN).pluck().get() ?? 0),
  };
}

/** The place after the last change. */
export function headPlace(db: Db): ChangePlace {
  const last = db.sql<ChangePlace>("SELECT seq, time FROM change ORDER BY seq DESC LIMIT 1").get();
  return last ?? FIRST_PLACE;
}

function readPage(db: Db, { after, limit, until, filter = {} }: ChangePageRequest): ChangePage {
  checkPlace(db, after);
  const end = until ?? headPlace(db);
  const changes: FeedChange[] = [];
  let next = after;
  let left = limit;
  while (left > 0) {
    const asked = left;
    const from = next.entry === undefined ? next.seq + 1 : next.seq;
    const rows = db.sql<Row>(ROWS).all(from, end.seq, asked);
    for (const row of rows) {
      if (left === 0) break;
      const { seq, time } = row;
      const isImport = row.action === "imported";
      const found = wants(filter, row)
        ? changesOf(db, row, seq === next.seq ? next.entry : undefined, left)
        : undefined;
      addAll(changes, found ?? []);
      left -= found === undefined || !isImport ? 1 : found.length;
      const entry = found?.at(-1)?.entry;
      next = isImport && left === 0 && entry !== undefined ? { seq, time, entry } : { seq, time };
    }
    if (left > 0 && rows.length < asked) return { changes, next: end.seq > next.seq ? end : next, isEnd: true };
  }
  return { changes, next, isEnd: false };
}

/** The change that a row is, or the entries of an import after the entry `after`, at most `limit`. */
function changesOf(db: Db, row: Row, after: number | undefined, limit: number): FeedChange[] {
  const { seq, kind, place } = row;
  const shared = { seq, time: formatInstant(row.time), kind, place };
  if (row.action !== "imported") return [{ ...shared, action: row.action, id: row.id, revision: row.revision }];
  const entries = db.sql<Entry>(ENTRIES).all(Number(row.id), after ?? 0, limit);
  return entries.map(({ n, action, id, revision }) => ({ ...shared, entry: n, action, id, revision }));
}

function wants({ kind, models, vocabularies }: ChangeFilter, row: Row): boolean {
  if (kind !== undefined && row.kind !== kind) return false;
  const named = row.kind === "record" ? models : vocabularies;
  return named === undefined || named.includes(row.place);
}

/** A store that was put back to an older copy goes on with the same numbers, but not with the same instants. */
function checkPlace(db: Db, { seq, time }: ChangePlace): void {
  if (seq === FIRST_PLACE.seq) return;
  const known = db.sql<number>("SELECT time FROM change WHERE seq = ?").pluck().get(seq);
  if (known !== time) throw fail("CHANGE_CURSOR_GONE");
}
