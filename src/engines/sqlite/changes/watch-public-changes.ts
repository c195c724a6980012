import { citationsPart, type PublicPart, recordPart, recordsPart, termsPart } from "../../../core/feed/public-parts.js";
import type { PublicChanges } from "../../../ports/public-changes.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import type { GenerationRow } from "../vocabulary/store/generation.js";

/** Changes that are looked at one by one; after more of them everything counts as changed. */
const CHANGES_MAX = 1_000;

/** Parts whose last change is remembered; of more, everything counts as changed. */
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
 * `PRAGMA data_version` differs where any connection, of any process, has committed since this one last looked, and
 * costs two microseconds. Only then the tables are read that say what was written: `change` has all of records and
 * terms, `generation` also what only changes the order of terms, `use` the citations. Other commits (drafts, audit
 * lines, deliveries, merges of the index) change nothing that is public.
 * @param db a reading connection
 */
export function makePublicChanges(db: Db): PublicChanges {
  const moments = makeMoments();
  const notes = makeTermNotes(db, moments);
  const dataVersion = db.sql<number>("PRAGMA data_version").pluck();
  let version: number | undefined;
  let last = 0;
  const catchUp = (): void => {
    const rows = db.sql<ChangeRow>(CHANGES).all(last);
    const isTooMuch = rows.length > CHANGES_MAX;
    if (isTooMuch) moments.changeAll();
    else for (const row of rows) noteChange(moments, row);
    notes.readGenerations();
    if (rows.some(({ kind, state }) => kind === "record" && state !== "draft")) notes.readCitations();
    // Last: where a read fails, the next look begins with the same changes.
    last = isTooMuch ? lastChange(db) : (rows.at(-1)?.seq ?? last);
  };
  return {
    look() {
      const now = dataVersion.get()!;
      if (now === version) return moments.now();
      moments.begin();
      if (version === undefined) last = lastChange(db);
      // What is committed after `now` was read may be seen here already; the next look sees it again.
      db.read(catchUp);
      version = now;
      return moments.now();
    },
    areSame: moments.areSame,
  };
}

function noteChange(moments: Moments, { kind, action, place, id, state }: ChangeRow): void {
  if (kind === "term") moments.change(termsPart(place), termsPart());
  // A repair says so of what it cannot name.
  else if (place === "") moments.changeAll();
  else if (state === "published" || action === "reindexed") {
    moments.change(recordsPart(place), recordsPart());
    if (id !== null) moments.change(recordPart(id));
  }
}

/** When each part last changed. */
interface Moments extends Pick<PublicChanges, "areSame"> {
  now(): number;
  /** What is noted from here on is of a new moment. */
  begin(): void;
  change(...parts: readonly PublicPart[]): void;
  changeAll(): void;
}

function makeMoments(): Moments {
  const changed = new Map<PublicPart, number>();
  let now = 0;
  let all = 0;
  const changeAll = (): void => {
    changed.clear();
    all = now;
  };
  return {
    now: () => now,
    begin: () => {
      now += 1;
      if (changed.size > PARTS_MAX) changeAll();
    },
    change: (...parts) => {
      for (const part of parts) changed.set(part, now);
    },
    changeAll,
    areSame: (parts, since) => all <= since && parts.every((part) => (changed.get(part) ?? 0) <= since),
  };
}

/** Notes what a vocabulary's tables tell, where that differs from what they told before. */
function makeTermNotes(db: Db, moments: Moments) {
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
