import {
  type ChangePlace,
  type FeedEntry,
  type FeedRow,
  type FeedRows,
  FIRST_PLACE,
  feedPage,
} from "../../../core/feed/feed.js";
import type { ChangeReader } from "../../../ports/changes.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

/** Earlier versions gave public numbers to drafts too. */
const SELECT_ROWS = `SELECT shown AS seq, time, kind, action, place, id, revision FROM change INDEXED BY change_shown
  WHERE shown >= ? AND shown <= ? AND (kind = 'term' OR state = 'published') ORDER BY shown LIMIT ?`;
const SELECT_TIME = "SELECT time FROM change INDEXED BY change_shown WHERE shown = ?";
const SELECT_HEAD = `SELECT shown AS seq, time FROM change INDEXED BY change_shown WHERE shown IS NOT NULL
  ORDER BY shown DESC LIMIT 1`;
const SELECT_ENTRIES = "SELECT n, id, action, revision FROM change_term WHERE import = ? AND n > ? ORDER BY n LIMIT ?";

/** Makes the reader of the feed. Each page is of one snapshot. Rows never change, so consecutive pages fit together. */
export function makeChangeReader(db: Db): ChangeReader {
  const rows: FeedRows = {
    timeOf: (seq) => db.sql<number>(SELECT_TIME).pluck().get(seq),
    head: () => headPlace(db),
    rows: (first, last, limit) => db.sql<FeedRow>(SELECT_ROWS).all(first, last, limit),
    entries: (id, after, limit) => db.sql<FeedEntry>(SELECT_ENTRIES).all(Number(id), after, limit),
  };
  return {
    page: (request) => reading(() => db.read(() => feedPage(request, rows))),
    head: () => reading(() => headPlace(db)),
  };
}

/** Returns the place after the last change with a public number. */
export function headPlace(db: Db): ChangePlace {
  return db.sql<ChangePlace>(SELECT_HEAD).get() ?? FIRST_PLACE;
}
