import {
  type ChangePlace,
  citationsPart,
  type DataPart,
  draftPart,
  draftsPart,
  type FeedEntry,
  type FeedRow,
  type FeedRows,
  FIRST_PLACE,
  feedPage,
  recordPart,
  recordsPart,
  termsPart,
} from "../../../core/feed/feed.js";
import type { ChangeReader, DataChanges } from "../../../ports/changes.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { runRead } from "../connection/map-error.js";
import type { GenerationRow } from "../vocabulary/store/generation.js";

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
    page: (request) => runRead(() => db.read(() => feedPage(request, rows))),
    head: () => runRead(() => headPlace(db)),
  };
}

/** Returns the place after the last change with a public number. */
export function headPlace(db: Db): ChangePlace {
  return db.sql<ChangePlace>(SELECT_HEAD).get() ?? FIRST_PLACE;
}

/** Number of changes that are processed one by one; after more of them everything counts as changed. */
const CHANGES_MAX = 1_000;

/** Number of parts whose last change is remembered; after more of them everything counts as changed. */
const PARTS_MAX = 20_000;

interface ChangeRow {
  readonly seq: number;
  readonly kind: "record" | "term";
  readonly action: string;
  readonly place: string;
  readonly id: string | null;
  readonly state: string | null;
}

const CHANGES = `SELECT seq, kind, action, place, id, state FROM change WHERE seq > ?
  ORDER BY seq LIMIT ${CHANGES_MAX + 1}`;
const GENERATIONS = "SELECT vocabulary, g, writes FROM generation WHERE state = 'current'";
const CITED = "SELECT max(seq) FROM use INDEXED BY use_seq WHERE vocabulary = ?";

/**
 * Watches the data for changes. `PRAGMA data_version` differs if any connection of any process has committed since the
 * last call, and costs two microseconds. Only then tables are read: `change` for changes of records, drafts and terms,
 * `generation` also for changes of the order of terms, `use` for citations. Other commits (users, audit lines,
 * deliveries, index merges) change no part.
 * @param db a read connection
 */
export function makeDataChanges(db: Db): DataChanges {
  const moments = makeMoments();
  const termWatch = makeTermWatch(db, moments);
  const dataVersion = db.sql<number>("PRAGMA data_version").pluck();
  let version: number | undefined;
  let lastSeq = 0;
  const catchUp = (): void => {
    const rows = db.sql<ChangeRow>(CHANGES).all(lastSeq);
    const hasOverflow = rows.length > CHANGES_MAX;
    if (hasOverflow) moments.changeAll();
    else for (const row of rows) noteChange(moments, row);
    termWatch.readGenerations();
    if (rows.some(({ kind, state }) => kind === "record" && state !== "draft")) termWatch.readCitations();
    // Set last: if a read fails, the next call begins with the same changes.
    lastSeq = hasOverflow ? lastChange(db) : (rows.at(-1)?.seq ?? lastSeq);
  };
  return {
    look() {
      const now = dataVersion.get()!;
      if (now === version) return moments.now();
      moments.begin();
      if (version === undefined) lastSeq = lastChange(db);
      // Commits after `now` was read may be seen already; the next call sees them again.
      db.read(catchUp);
      version = now;
      return moments.now();
    },
    areSame: moments.areSame,
  };
}

function noteChange(moments: Moments, { kind, action, place, id, state }: ChangeRow): void {
  if (kind === "term") moments.change(termsPart(place), termsPart());
  // A repair writes this if it cannot name what changed.
  else if (place === "") moments.changeAll();
  else {
    moments.change(draftsPart(place), draftsPart());
    if (id !== null) moments.change(draftPart(id));
    if (state !== "published" && action !== "reindexed") return;
    moments.change(recordsPart(place), recordsPart());
    if (id !== null) moments.change(recordPart(id));
  }
}

/** The moment at which each part last changed. */
interface Moments extends Pick<DataChanges, "areSame"> {
  now(): number;
  /** Begins a new moment for the following changes. */
  begin(): void;
  change(...parts: readonly DataPart[]): void;
  changeAll(): void;
}

function makeMoments(): Moments {
  const changedAt = new Map<DataPart, number>();
  let now = 0;
  let allChangedAt = 0;
  const changeAll = (): void => {
    changedAt.clear();
    allChangedAt = now;
  };
  return {
    now: () => now,
    begin: () => {
      now += 1;
      if (changedAt.size > PARTS_MAX) changeAll();
    },
    change: (...parts) => {
      for (const part of parts) changedAt.set(part, now);
    },
    changeAll,
    areSame: (parts, since) => allChangedAt <= since && parts.every((part) => (changedAt.get(part) ?? 0) <= since),
  };
}

/** Marks changes of a vocabulary's tables since the last call. */
function makeTermWatch(db: Db, moments: Moments) {
  const generations = new Map<string, string>();
  const citations = new Map<string, number | null>();
  return {
    readGenerations(): void {
      const rows = db.sql<Pick<GenerationRow, "vocabulary" | "g" | "writes">>(GENERATIONS).all();
      for (const { vocabulary, g, writes } of rows) {
        const state = `${g} ${writes}`;
        if (generations.get(vocabulary) !== state) moments.change(termsPart(vocabulary), termsPart());
        generations.set(vocabulary, state);
      }
    },
    readCitations(): void {
      const statement = db.sql<number | null>(CITED).pluck();
      for (const vocabulary of generations.keys()) {
        const last = statement.get(vocabulary) ?? null;
        if (citations.get(vocabulary) !== last) moments.change(citationsPart(vocabulary));
        citations.set(vocabulary, last);
      }
    },
  };
}
