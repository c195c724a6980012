import { mergeTerm, patchOf } from "../../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../../../core/term.js";
import type { LoadOptions, LoadSummary, Redirect, TermLine } from "../../../../ports/store.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { makeComparison } from "./compare-items.js";
import { type CurrentItem, findCurrent } from "./current-item.js";
import { lineOver, type MadeItem, type PreparedLine, prepareLine } from "./prepare-line.js";
import { countRedirects, REDIRECT_TABLE, stageRedirect } from "./redirects.js";
import { refuseTargets } from "./refuse-targets.js";

/** Items that are compared in one go: a few milliseconds. */
const BATCH_ITEMS = 500;

/**
 * `fresh`: 0 unchanged, 1 new, 2 changed, as the vocabulary was when the item was read; `moved`: the line gives the
 * item another parent than it had; `successor`: what the line newly says to replace it. `content` is JSON of the whole
 * item as it would be, `patch` of what the line says where it does not say all of it.
 */
const SCRATCH_TABLES = `
CREATE TABLE scratch.item(
  n INTEGER PRIMARY KEY, line INTEGER, ext TEXT NOT NULL, fresh INTEGER NOT NULL, moved INTEGER NOT NULL,
  status INTEGER, prior REAL, length INTEGER, parent TEXT, successor TEXT, hash BLOB NOT NULL,
  content TEXT, patch TEXT);
`;

const INSERT = `INSERT INTO scratch.item(
  line, ext, fresh, moved, status, prior, length, parent, successor, hash, content, patch)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Collects what is loaded in `scratch.item` and compares it with what is there. Of an id that comes twice the last
 * one counts.
 * @param breathe called between two batches
 */
export async function stageItems(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions,
  breathe: () => Promise<void>,
): Promise<LoadSummary> {
  loader.db.raw.exec(SCRATCH_TABLES + REDIRECT_TABLE);
  let batch: (TermContent | TermLine)[] = [];
  const unchanged = { count: 0 };
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS) continue;
    stageBatch(loader, vocabulary, batch, options, unchanged);
    batch = [];
    await breathe();
  }
  stageBatch(loader, vocabulary, batch, options, unchanged);
  loader.scratch(() => keepLast(loader));
  await breathe();
  if (options.refuse !== undefined) refuseTargets(loader, vocabulary, options.refuse);
  return loader.scratch(() => summarise(loader, vocabulary, unchanged.count));
}

function stageBatch(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  batch: readonly (TermContent | TermLine)[],
  { refuse, addsOnly = false, isUnique = false }: LoadOptions,
  unchanged: { count: number },
): void {
  const row = loader.db.sql(INSERT);
  const insert: Insert = (values, isFresh) => {
    if (isFresh || !isUnique) row.run(...values);
    else unchanged.count += 1;
  };
  loader.scratch(() => {
    const generation = currentGeneration(loader.db, vocabulary.name);
    for (const item of batch) {
      if ("redirect" in item) {
        stageMove(loader, vocabulary, insert, generation, item);
        continue;
      }
      const line = prepareLine(vocabulary, item);
      const old = generation && findCurrent(generation, line.id);
      if (addsOnly && old !== undefined) {
        stageUnchanged(insert, line, old.hash);
        continue;
      }
      const made = old === undefined ? line.alone : lineOver(vocabulary, line, old);
      if ("reason" in made) {
        if (refuse === undefined) throw new Error(made.reason);
        refuse(line.line ?? 0, made.reason);
        continue;
      }
      stageItem(insert, line, old, made);
    }
  });
}

/** An item whose id becomes a redirect is deprecated; its successor stays where the redirect names none. */
function stageMove(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  insert: Insert,
  generation: Generation | undefined,
  { line, redirect }: { readonly line: number; readonly redirect: Redirect },
): void {
  const old = generation && findCurrent(generation, redirect.id);
  if (old === undefined) {
    stageRedirect(loader, redirect);
    return;
  }
  const { id, to } = redirect;
  const patch = { id, status: "deprecated", ...(to === null ? {} : { replaced_by: to }) } as const;
  const prepared = prepareLine(vocabulary, { line, patch });
  const made = lineOver(vocabulary, prepared, old);
  if ("reason" in made) throw new Error(made.reason);
  stageItem(insert, prepared, old, made);
}

/** Takes the columns of a row. @param isFresh is it of an item that is new or changes? */
type Insert = (values: readonly unknown[], isFresh: boolean) => void;

function stageUnchanged(insert: Insert, { line, id }: PreparedLine, hash: Buffer): void {
  insert([line, id, 0, 0, null, null, null, null, null, hash, null, null], false);
}

function stageItem(insert: Insert, prepared: PreparedLine, old: CurrentItem | undefined, made: MadeItem): void {
  const { line, id, patch } = prepared;
  const { status, prior, length, parent, json } = made;
  const hash = Buffer.from(made.hash, "hex");
  if (old?.hash.equals(hash)) {
    stageUnchanged(insert, prepared, hash);
    return;
  }
  const moved = parent !== null && parent !== old?.parent ? 1 : 0;
  const isOldSuccessor = made.successor !== null && made.successor === old?.content().replaced_by;
  const link = [parent, isOldSuccessor ? null : made.successor] as const;
  // Of a new item what the line says is all there is; where somebody adds it meanwhile, it is written over that.
  const said = old === undefined && patch !== null ? NEW_PATCH : patch;
  insert([line, id, old === undefined ? 1 : 2, moved, status, prior, length, ...link, hash, json, said], true);
}

/** Stands for the patch that is all of the content. */
const NEW_PATCH = "";

function keepLast({ db }: BulkLoader): void {
  db.raw.exec("CREATE INDEX scratch.item_ext ON item(ext, n)");
  const { items, ids } = db
    .sql<{ items: number; ids: number }>("SELECT count(*) AS items, count(DISTINCT ext) AS ids FROM scratch.item")
    .get()!;
  if (ids === items) return;
  db.raw.exec(
    "DELETE FROM scratch.item AS a WHERE EXISTS (SELECT 1 FROM scratch.item b WHERE b.ext = a.ext AND b.n > a.n)",
  );
}

function summarise(loader: BulkLoader, vocabulary: Vocabulary, unchanged: number): LoadSummary {
  const { db } = loader;
  const counts = [0, 0, 0];
  const rows = db.sql<{ fresh: number; n: number }>("SELECT fresh, count(*) AS n FROM scratch.item GROUP BY fresh");
  for (const { fresh, n } of rows.all()) counts[fresh] = n;
  const comparison = makeComparison();
  const generation = currentGeneration(db, vocabulary.name);
  const changed = db.sql<string>("SELECT content FROM scratch.item WHERE fresh = 2 ORDER BY n").pluck();
  for (const text of changed.iterate() as Iterable<string>) {
    const content = JSON.parse(text) as TermContent;
    const old = generation && findCurrent(generation, content.id);
    if (old !== undefined) comparison.add(old.content(), content);
  }
  const redirects = countRedirects(loader, vocabulary.name);
  return { unchanged: counts[0]! + unchanged, new: counts[1]!, changed: counts[2]!, redirects, ...comparison.result() };
}

/** What is loaded under an id. */
export interface Staged {
  readonly content: TermContent;
  readonly patch: string | null;
}

/** What is loaded under an id, if that changes it. */
export function findStaged(loader: BulkLoader, id: string): Staged | undefined {
  const row = loader.db
    .sql<{ content: string; patch: string | null }>(
      "SELECT content, patch FROM scratch.item WHERE ext = ? AND fresh > 0",
    )
    .get(id);
  return row && { content: JSON.parse(row.content) as TermContent, patch: row.patch };
}

/** All that the load changes, in the order it came. */
export function allStaged(loader: BulkLoader): Staged[] {
  return loader.db
    .sql<{ content: string; patch: string | null }>(
      "SELECT content, patch FROM scratch.item WHERE fresh > 0 ORDER BY n",
    )
    .all()
    .map(({ content, patch }) => ({ content: JSON.parse(content) as TermContent, patch }));
}

/**
 * What a staged line makes of the item as it is by now: somebody may have changed it since it was staged.
 * @param now undefined where it was deleted meanwhile: then the load brings it back as it was
 */
export function stagedOver(vocabulary: Vocabulary, staged: Staged, now: TermContent | undefined): TermContent {
  const { content, patch } = staged;
  if (now === undefined || patch === null) return content;
  const said = patch === NEW_PATCH ? patchOf(content) : (JSON.parse(patch) as TermPatch);
  const made = mergeTerm(vocabulary, now, said);
  return "reason" in made ? content : made;
}
