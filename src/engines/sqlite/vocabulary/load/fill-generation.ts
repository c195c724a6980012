import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent } from "../../../../core/term.js";
import { contentOf, rankOf, termRow } from "../../../../core/terms/term-row.js";
import type { LoadOptions } from "../../../../ports/store.js";
import { type TermKeys, termKeys } from "../../../../query/index-model/term-keys.js";
import { lastChange } from "../../connection/change-table.js";
import { generationTables, textTables } from "../../connection/vocabulary-tables.js";
import type { Writer } from "../../connection/write-connection.js";
import { currentGeneration, type Generation, generationByNumber } from "../store/generation.js";
import { type Gone, insertRow, insertText, noteGone, type StoredRow } from "../store/put-row.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat, heartbeats } from "./claim.js";
import { copySorted, copyText, mergeText, setText } from "./copy-tables.js";
import { noteLoaded } from "./load-history.js";
import { rankItems } from "./rank-items.js";
import { copyRedirects } from "./redirects.js";
import { saveColumns } from "./save-columns.js";
import { saveSets } from "./save-lexicon.js";

/** Items compiled in one go while the lock is free: some ten milliseconds. */
const BATCH_ITEMS = 1_000;

/** FTS5 can have 2,000 segments, and each batch makes one. */
const BATCHES_BETWEEN_MERGES = 400;

const SCRATCH_TABLES = `
CREATE TABLE scratch.title(lang TEXT, key TEXT, id INTEGER);
CREATE TABLE scratch.name(key TEXT, kind INTEGER, id INTEGER);
CREATE TABLE scratch.val(path TEXT, value, id INTEGER);
`;

/**
 * Fills the tables of generation `g` with what was staged and what the current generation has beside it. Nobody reads
 * them yet.
 * @returns number of the last change that is certainly in it
 */
export async function fillGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  g: number,
  onIndexed: LoadOptions["onIndexed"] = () => undefined,
): Promise<number> {
  const { db } = loader;
  const now = await writer.run((instant) => instant);
  let since = 0;
  await loader.steps(() => {
    heartbeat(db, g);
    db.raw.exec(generationTables(g));
    since = lastChange(db);
    return "done";
  });
  const ranking = rankItems(loader, vocabulary, now);
  db.raw.exec(SCRATCH_TABLES + textTables("scratch", g));
  setText(loader, g);
  const breathe = heartbeats(loader, g);
  const generation = generationByNumber(db, g)!;
  let batches = 0;
  for (let from = 1; from <= ranking.ranked; from += BATCH_ITEMS) {
    await fillBatch(loader, vocabulary, generation, now, from);
    batches += 1;
    onIndexed(Math.min(from + BATCH_ITEMS - 1, ranking.ranked), ranking.ranked);
    if (batches % BATCHES_BETWEEN_MERGES === 0) await mergeText(loader, g, breathe);
  }
  await mergeText(loader, g, breathe);
  await copyIndexes(loader, generation);
  await copyRedirects(loader, vocabulary.name, g);
  await copyText(loader, g);
  await saveColumns(loader, vocabulary, generation, ranking);
  await saveSets(loader, generation, vocabulary, ranking);
  await loader.steps(() => {
    const { ranked, active, nested } = ranking;
    db.sql(
      `UPDATE generation SET ranked = ?, active = ?, next = ? + 1, nested = ?,
         count = (SELECT count(*) FROM scratch.ranked) WHERE g = ?`,
    ).run(ranked, active, ranked, nested ? 1 : 0, g);
    return "done";
  });
  return since;
}

interface Compiled {
  readonly row: StoredRow;
  readonly keys: TermKeys;
  /** Of a loaded item: is it new? */
  readonly isNew: boolean | undefined;
  /** Of one that changes: JSON of its fields that differ. */
  readonly changes?: string;
}

async function fillBatch(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  generation: Generation,
  now: number,
  from: number,
): Promise<void> {
  const { db } = loader;
  const { batch, gone } = loader.scratch(() => {
    const { compiled, gone } = compileBatch(loader, vocabulary, now, from);
    const title = db.sql("INSERT INTO scratch.title VALUES(?, ?, ?)");
    const name = db.sql("INSERT INTO scratch.name VALUES(?, ?, ?)");
    const value = db.sql("INSERT INTO scratch.val VALUES(?, ?, ?)");
    for (const { row, keys } of compiled) {
      for (const entry of keys.titles) title.run(entry[0], entry[1], row.id);
      for (const entry of keys.names) name.run(entry[0], entry[1], row.id);
      for (const entry of keys.values) value.run(entry[0], entry[1], row.id);
      insertText(generation, row.id, keys, "scratch");
    }
    return { batch: compiled, gone };
  });
  let at = 0;
  const entry = db.sql("INSERT INTO change_term(import, n, id, action, revision) VALUES(?, ?, ?, ?, ?)");
  await loader.steps((isLate) => {
    heartbeat(db, generation.g);
    for (const item of gone.splice(0)) noteGone(generation, item);
    for (; at < batch.length; at++) {
      const { row, isNew, changes } = batch[at]!;
      insertRow(generation, row);
      const { ext, revision } = row;
      if (changes !== undefined) noteLoaded(db, vocabulary.name, generation.g, { ext, revision, changes });
      if (isNew !== undefined) entry.run(generation.g, row.id, row.ext, isNew ? "created" : "updated", row.revision);
      if (at % 16 === 15 && isLate()) {
        at += 1;
        return "more";
      }
    }
    return "done";
  });
}

interface Ranked {
  readonly id: number;
  readonly ext: string;
  readonly created: number;
  readonly revision: number;
  readonly old: number | null;
  readonly lo: number | null;
  readonly hi: number | null;
  readonly content: string | null;
  readonly fresh: number | null;
  readonly hash: Buffer | null;
  readonly changes: string | null;
  readonly sources: number | null;
}

function compileBatch(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  now: number,
  from: number,
): { compiled: Compiled[]; gone: Gone[] } {
  const { db } = loader;
  const gone: Gone[] = [];
  const rows = db
    .sql<Ranked>(
      `SELECT r.id, r.ext, r.created, r.revision, r.old, r.lo, r.hi, i.content, i.fresh, i.hash, i.changes,
         i.sources
       FROM scratch.ranked r LEFT JOIN scratch.item i ON i.n = r.item WHERE r.id >= ? AND r.id < ? ORDER BY r.id`,
    )
    .all(from, from + BATCH_ITEMS);
  const current = currentGeneration(db, vocabulary.name);
  const compiled = rows.flatMap(
    ({ id, ext, created, revision, old, lo, hi, content: text, fresh, hash, changes, sources }): Compiled[] => {
      if (text !== null && hash !== null) {
        const content = JSON.parse(text) as TermContent;
        const made = termRow(content, vocabulary, { revision, created, updated: now }, hash);
        const row = { ...made, id, lo, hi, sources: sources ?? 0 };
        const said = changes === null ? {} : { changes };
        return [{ row, keys: termKeys(content, vocabulary), isNew: fresh === 1, ...said }];
      }
      const row = current?.sql<StoredRow>("SELECT * FROM term_$g WHERE id = ?").get(old);
      if (row === undefined) {
        // Changed or deleted meanwhile: what became of it is replayed before the switch.
        db.sql("DELETE FROM scratch.ranked WHERE id = ?").run(id);
        gone.push({ id, ext, lo, hi });
        return [];
      }
      const content = contentOf(row);
      return [
        {
          row: { ...row, ...rankOf(content, vocabulary), id, lo, hi },
          keys: termKeys(content, vocabulary),
          isNew: undefined,
        },
      ];
    },
  );
  return { compiled, gone };
}

/** Sorted first, so that each table only grows at its end: a step then writes few pages. */
async function copyIndexes(loader: BulkLoader, { g }: Generation): Promise<void> {
  const copies: [table: string, select: string][] = [
    ["ext", "SELECT ext, id FROM scratch.ranked ORDER BY ext COLLATE NOCASE, id"],
    ["created", "SELECT created, ext, id FROM scratch.ranked ORDER BY created, ext"],
    ["child", "SELECT parent, id FROM scratch.ranked WHERE parent IS NOT NULL ORDER BY parent, id"],
    ["title", "SELECT lang, key, id FROM scratch.title ORDER BY lang, key, id"],
    ["name", "SELECT key, kind, id FROM scratch.name ORDER BY key, kind, id"],
    ["val", "SELECT path, value, id FROM scratch.val ORDER BY path, value, id"],
  ];
  for (const [table, select] of copies) await copySorted(loader, g, `${table}_${g}`, select);
}
