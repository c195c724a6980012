import {
  type ChangePlace,
  type FeedEntry,
  type FeedRow,
  type FeedRows,
  FIRST_PLACE,
  feedPage,
} from "../../../core/feed/feed.js";
import type { ChangeReader } from "../../../ports/change-reader.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

/** As the index `change_shown` says it. */
const SHOWN = "(kind = 'term' OR state = 'published')";

const ROWS = `SELECT seq, time, kind, action, place, id, revision FROM change INDEXED BY change_shown
  WHERE ${SHOWN} AND seq >= ? AND seq <= ? ORDER BY seq LIMIT ?`;
const ENTRIES = "SELECT n, id, action, revision FROM change_term WHERE import = ? AND n > ? ORDER BY n LIMIT ?";
const LAST_SHOWN = `SELECT seq FROM change INDEXED BY change_shown WHERE ${SHOWN} ORDER BY seq DESC LIMIT 1`;

/** Each page is one state of the file. Its rows are for ever, so pages read one after the other fit together. */
export function makeChangeReader(db: Db): ChangeReader {
  const rows: FeedRows = {
    timeOf: (seq) => db.sql<number>("SELECT time FROM change WHERE seq = ?").pluck().get(seq),
    head: () => headPlace(db),
    rows: (first, last, limit) => db.sql<FeedRow>(ROWS).all(first, last, limit),
    entries: (id, after, limit) => db.sql<FeedEntry>(ENTRIES).all(Number(id), after, limit),
  };
  return {
    page: (request) => reading(() => db.read(() => feedPage(request, rows))),
    head: () => reading(() => headPlace(db)),
    lastShown: () => reading(() => db.sql<number>(LAST_SHOWN).pluck().get() ?? 0),
  };
}

/** The place after the last change. */
export function headPlace(db: Db): ChangePlace {
  const last = db.sql<ChangePlace>("SELECT seq, time FROM change ORDER BY seq DESC LIMIT 1").get();
  return last ?? FIRST_PLACE;
}
