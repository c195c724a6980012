import { changedFields } from "../../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { contentHash, contentOf, termRow } from "../../../../core/terms/term-row.js";
import { stagedOver } from "../../../term-loads/stage-lines.js";
import { noteChange } from "../../connection/change-table.js";
import type { Db } from "../../connection/database.js";
import type { Writer } from "../../connection/write-connection.js";
import { currentGeneration, type Generation, generationByNumber } from "../store/generation.js";
import { findRow, putRow, removeRow } from "../store/put-row.js";
import { noteStale } from "../store/stale-terms.js";
import { takeRevision } from "../store/term-writer.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import { changesText, forgetLoaded, noteLoadDone, noteLoaded } from "./load-history.js";
import { findStaged } from "./staged-rows.js";

/** Single writes that one transaction replays. */
const REPLAYS_AT_ONCE = 50;

export interface Filled {
  readonly g: number;
  /** Number of the last change that is in it. */
  readonly since: number;
  /** Does it hold anything new? A generation that was only made again changes nothing that anybody sees. */
  readonly isImport: boolean;
  /** Name of what was loaded. */
  readonly source: string | undefined;
}

/**
 * Replays single writes made since into the filled generation and makes it current, in one transaction with the
 * change row. Where both changed an item, the load wins with the higher revision.
 */
export async function switchGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, since, isImport, source }: Filled,
): Promise<void> {
  let seen = since;
  let isCurrent = false;
  while (!isCurrent) {
    [seen, isCurrent] = await writer.run((now): [number, boolean] => {
      const { db } = writer;
      heartbeat(db, g);
      const generation = generationByNumber(db, g)!;
      const changes = changesSince(db, vocabulary.name, seen);
      for (const id of new Set(changes.map((change) => change.id))) replay(db, vocabulary, loader, generation, id, now);
      if (changes.length === REPLAYS_AT_ONCE) return [changes.at(-1)!.seq, false];
      makeCurrent(db, vocabulary.name, generation);
      if (isImport) for (const id of citedAndChanged(loader, vocabulary.name)) noteStale(db, vocabulary.name, id);
      if (isImport) noteLoadDone(db, vocabulary.name, g, source, now);
      if (isImport) noteChange(db, now, { kind: "term", action: "imported", place: vocabulary.name, id: String(g) });
      return [seen, true];
    });
  }
}

function changesSince(db: Db, vocabulary: string, seen: number): { seq: number; id: string }[] {
  return db
    .sql<{ seq: number; id: string }>(
      `SELECT seq, id FROM change
       WHERE seq > ? AND kind = 'term' AND place = ? AND action <> 'imported' ORDER BY seq LIMIT ${REPLAYS_AT_ONCE}`,
    )
    .all(seen, vocabulary);
}

function replay(
  db: Db,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  generation: Generation,
  id: string,
  now: number,
): void {
  const current = currentGeneration(db, vocabulary.name);
  const written = current && findRow(current, id);
  const staged = findStaged(loader, id);
  const before = written && contentOf(written);
  const content = staged && stagedOver(vocabulary, staged, before);
  forgetLoaded(db, generation.g, id);
  if (content === undefined || written?.hash.equals(contentHash(content))) {
    if (written === undefined) removeRow(generation, vocabulary, id);
    else putRow(generation, vocabulary, written, written.sources);
    if (content !== undefined)
      db.sql("DELETE FROM change_term WHERE import = ? AND n = ?").run(generation.g, rankOf(loader, id));
    return;
  }
  const revision = (written?.revision ?? takeRevision(db, vocabulary.name, id)) + 1;
  const age = { revision, created: written?.created ?? now, updated: now };
  putRow(generation, vocabulary, termRow(content, vocabulary, age), staged?.sources);
  if (before !== undefined) {
    const changes = changesText(changedFields(before, content));
    noteLoaded(db, vocabulary.name, generation.g, { ext: id, revision, changes });
  }
  const action = written === undefined ? "created" : "updated";
  db.sql("UPDATE change_term SET action = ?, revision = ? WHERE import = ? AND n = ?").run(
    ...[action, revision, generation.g, rankOf(loader, id)],
  );
}

/** The entry of an item in `change_term` has the item's rank as its number. */
function rankOf({ db }: BulkLoader, id: string): number | undefined {
  return db
    .sql<number>(
      "SELECT p.id FROM scratch.item i JOIN scratch.place p ON p.item = i.n WHERE i.ext = ? AND i.fresh <> 0",
    )
    .pluck()
    .get(id);
}

/** Nobody else writes meanwhile, so that the loader sees all citations that there are. */
function citedAndChanged({ db }: BulkLoader, vocabulary: string): readonly string[] {
  const sql = `SELECT u.ext FROM main.use u CROSS JOIN scratch.item i ON i.ext = u.ext
    WHERE u.vocabulary = ? AND u.n + u.drafts > 0 AND i.fresh > 0`;
  return db.sql<string>(sql).pluck().all(vocabulary);
}

function makeCurrent(db: Db, vocabulary: string, generation: Generation): void {
  // What a load brings back is no longer gone.
  const lives = db.sql<string>("SELECT ext FROM life WHERE vocabulary = ?").pluck().all(vocabulary);
  for (const id of lives) if (findRow(generation, id) !== undefined) takeRevision(db, vocabulary, id);
  db.sql("UPDATE generation SET state = 'dropping' WHERE vocabulary = ? AND state = 'current'").run(vocabulary);
  db.sql("UPDATE generation SET state = 'current' WHERE g = ?").run(generation.g);
}
