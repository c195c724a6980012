import { OPERATOR } from "../../../../core/actor.js";
import type { FieldChange } from "../../../../core/answers/term-answers.js";
import { changedFields } from "../../../../core/catalog/patch-term.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { contentHash, readTermContent, termRow } from "../../../../core/terms/term-row.js";
import type { LoadOptions } from "../../../../ports/loads.js";
import { stagedOver } from "../../../term-loads/stage-lines.js";
import { noteAudit } from "../../accounts/write-log.js";
import { noteChange } from "../../connection/change-table.js";
import type { Db } from "../../connection/database.js";
import type { Writer } from "../../connection/write-connection.js";
import { noteStale } from "../store/cited-terms.js";
import { currentGeneration, type Generation, generationByNumber } from "../store/generation.js";
import { findRow, putRow, removeRow } from "../store/term-rows.js";
import { takeRevision } from "../store/term-writer.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import { findStaged } from "./staged-rows.js";

/** Single writes replayed by one transaction. */
const REPLAYS_AT_ONCE = 50;

/** Source and audit entry of a load. */
export type LoadOrigin = Pick<LoadOptions, "source" | "auditEntry">;

interface FilledGeneration {
  readonly g: number;
  /** Number of the last change that the generation includes. */
  readonly since: number;
  /** Whether it has new content. A remade generation changes nothing that is visible. */
  readonly isImport: boolean;
  readonly origin: LoadOrigin;
}

/**
 * Replays later single writes into the filled generation and makes it current, in one transaction with the change row.
 * If both changed a term, the load wins with the higher revision.
 */
export async function switchGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, since, isImport, origin }: FilledGeneration,
): Promise<void> {
  let replayedTo = since;
  let isCurrent = false;
  while (!isCurrent) {
    [replayedTo, isCurrent] = await writer.run((now): [number, boolean] => {
      const { db } = writer;
      heartbeat(db, g);
      const generation = generationByNumber(db, g)!;
      const changes = changesSince(db, vocabulary.name, replayedTo);
      for (const id of new Set(changes.map((change) => change.id))) replay(db, vocabulary, loader, generation, id, now);
      if (changes.length === REPLAYS_AT_ONCE) return [changes.at(-1)!.seq, false];
      makeCurrent(db, vocabulary.name, generation);
      if (isImport) for (const id of citedAndChanged(loader, vocabulary.name)) noteStale(db, vocabulary.name, id);
      if (isImport) noteLoadDone(db, vocabulary.name, g, origin, now);
      if (isImport) noteChange(db, now, { kind: "term", action: "imported", place: vocabulary.name, id: String(g) });
      return [replayedTo, true];
    });
  }
}

function changesSince(db: Db, vocabulary: string, replayedTo: number): { seq: number; id: string }[] {
  return db
    .sql<{ seq: number; id: string }>(
      `SELECT seq, id FROM change
       WHERE seq > ? AND kind = 'term' AND place = ? AND action <> 'imported' ORDER BY seq LIMIT ${REPLAYS_AT_ONCE}`,
    )
    .all(replayedTo, vocabulary);
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
  const currentRow = current && findRow(current, id);
  const staged = findStaged(loader, id);
  const oldContent = currentRow && readTermContent(currentRow);
  const content = staged && stagedOver(vocabulary, staged, oldContent);
  removeLoadedHistory(db, generation.g, id);
  if (content === undefined || currentRow?.hash.equals(contentHash(content))) {
    if (currentRow === undefined) removeRow(generation, vocabulary, id);
    else putRow(generation, vocabulary, currentRow, currentRow.sources);
    if (content !== undefined)
      db.sql("DELETE FROM change_term WHERE import = ? AND n = ?").run(generation.g, findRank(loader, id));
    return;
  }
  const revision = (currentRow?.revision ?? takeRevision(db, vocabulary.name, id)) + 1;
  const age = { revision, created: currentRow?.created ?? now, updated: now };
  putRow(generation, vocabulary, termRow(content, vocabulary, age), staged?.sources);
  if (oldContent !== undefined) {
    const changes = changesText(changedFields(oldContent, content));
    writeLoadedHistory(db, vocabulary.name, generation.g, { ext: id, revision, changes });
  }
  const action = currentRow === undefined ? "created" : "updated";
  const update = db.sql("UPDATE change_term SET action = ?, revision = ? WHERE import = ? AND n = ?");
  update.run(action, revision, generation.g, findRank(loader, id));
}

/** Returns the rank of a term, which is the number of its entry in `change_term`. */
function findRank({ db }: BulkLoader, id: string): number | undefined {
  return db
    .sql<number>(
      "SELECT p.id FROM scratch.item i JOIN scratch.place p ON p.item = i.n WHERE i.ext = ? AND i.fresh <> 0",
    )
    .pluck()
    .get(id);
}

/** Returns the cited terms that the load changed. Nobody else writes meanwhile, so the loader sees all citations. */
function citedAndChanged({ db }: BulkLoader, vocabulary: string): readonly string[] {
  const sql = `SELECT u.ext FROM main.use u CROSS JOIN scratch.item i ON i.ext = u.ext
    WHERE u.vocabulary = ? AND u.n + u.drafts > 0 AND i.fresh > 0`;
  return db.sql<string>(sql).pluck().all(vocabulary);
}

function makeCurrent(db: Db, vocabulary: string, generation: Generation): void {
  // Ids that the load brings back are no longer deleted.
  const deletedIds = db.sql<string>("SELECT ext FROM life WHERE vocabulary = ?").pluck().all(vocabulary);
  for (const id of deletedIds) if (findRow(generation, id) !== undefined) takeRevision(db, vocabulary, id);
  db.sql("UPDATE generation SET state = 'dropping' WHERE vocabulary = ? AND state = 'current'").run(vocabulary);
  db.sql("UPDATE generation SET state = 'current' WHERE g = ?").run(generation.g);
}

/** A term that a load changed. */
interface ChangedTerm {
  readonly ext: string;
  readonly revision: number;
  /** JSON of its `FieldChange`s. */
  readonly changes: string;
}

/** Writes the changes of a load to a term, in the open transaction. They count once the load is marked as done. */
export function writeLoadedHistory(
  db: Db,
  vocabulary: string,
  load: number,
  { ext, revision, changes }: ChangedTerm,
): void {
  db.sql(
    "INSERT INTO term_history(vocabulary, ext, revision, action, load, changes) VALUES(?, ?, ?, 'loaded', ?, ?)",
  ).run(vocabulary, ext, revision, load, changes);
}

/** Removes the history entry of an unfinished load for a term that somebody else wrote meanwhile. */
function removeLoadedHistory(db: Db, load: number, ext: string): void {
  db.sql("DELETE FROM term_history WHERE load = ? AND ext = ?").run(load, ext);
}

/** Marks a load as done and audits it, in the transaction that makes it visible. @param now microseconds */
export function noteLoadDone(
  db: Db,
  vocabulary: string,
  load: number,
  { source, auditEntry }: LoadOrigin,
  now: number,
): void {
  const insert = "INSERT INTO term_load(g, vocabulary, source, time) VALUES(?, ?, ?, ?)";
  db.sql(insert).run(load, vocabulary, source ?? null, now);
  if (auditEntry !== undefined) noteAudit(db, now, OPERATOR, auditEntry);
}

/** Returns the changed fields as JSON for `term_history`. */
export const changesText = (fields: readonly FieldChange[]): string => JSON.stringify(fields);
