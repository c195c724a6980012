import { changedFields, type FieldChange, mergeTerm, patchOf } from "../../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../../../core/term.js";
import type { LoadOptions, LoadSummary, Redirect, TermLine } from "../../../../ports/store.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { makeComparison } from "./compare-items.js";
import { type CurrentItem, findCurrent } from "./current-item.js";
import { changesText } from "./load-history.js";
import { LoadedSource } from "./loaded-source.js";
import { lineOver, type MadeItem, makeItem, type PreparedLine, prepareLine } from "./prepare-line.js";
import { countRedirects, REDIRECT_TABLE, stageRedirect } from "./redirects.js";
import { refuseTargets } from "./refuse-targets.js";

/** Items that are compared in one go: a few milliseconds. */
const BATCH_ITEMS = 500;

/**
 * `fresh`: 0 unchanged, 1 new, 2 changed, as the vocabulary was when the item was read; `moved`: the line gives the
 * item another parent than it had; `successor`: what the line newly says to replace it. `content` is JSON of the whole
 * item as it would be, `patch` of what the line says where it does not say all of it, `changes` of the fields of a
 * changed item that differ. `sources`: bits of those that have the item from then on.
 */
const SCRATCH_TABLES = `
CREATE TABLE scratch.item(
  n INTEGER PRIMARY KEY, line INTEGER, ext TEXT NOT NULL, fresh INTEGER NOT NULL, moved INTEGER NOT NULL,
  status INTEGER, prior REAL, length INTEGER, parent TEXT, successor TEXT, hash BLOB NOT NULL,
  content TEXT, patch TEXT, changes TEXT, sources INTEGER);
`;

const INSERT = `INSERT INTO scratch.item(
  line, ext, fresh, moved, status, prior, length, parent, successor, hash, content, patch, changes, sources)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

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
  const source = new LoadedSource(loader, vocabulary, options, currentGeneration(loader.db, vocabulary.name));
  const staging: Staging = { loader, vocabulary, options, source, unchanged: { count: 0 } };
  let batch: (TermContent | TermLine)[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS) continue;
    stageBatch(staging, batch);
    batch = [];
    await breathe();
  }
  stageBatch(staging, batch);
  loader.scratch(() => keepLast(loader));
  await breathe();
  loader.scratch(() => stageMissing(staging));
  if (options.refuse !== undefined) refuseTargets(loader, vocabulary, options.refuse);
  return loader.scratch(() => summarise(staging));
}

interface Staging {
  readonly loader: BulkLoader;
  readonly vocabulary: Vocabulary;
  readonly options: LoadOptions;
  readonly source: LoadedSource;
  /** Items of which nothing has to be kept. */
  readonly unchanged: { count: number };
}

function stageBatch(staging: Staging, batch: readonly (TermContent | TermLine)[]): void {
  const { loader, vocabulary, options, source } = staging;
  loader.scratch(() => {
    const generation = currentGeneration(loader.db, vocabulary.name);
    for (const item of batch) {
      if ("redirect" in item) {
        stageMove(staging, generation, item);
        continue;
      }
      const line = prepareLine(vocabulary, item);
      const old = generation && findCurrent(generation, line.id);
      if (old !== undefined) source.see(old);
      if (options.addsOnly === true && old !== undefined) {
        stageUnchanged(staging, line, old.hash);
        continue;
      }
      stageLine(staging, line, old);
    }
  });
}

function stageLine(staging: Staging, line: PreparedLine, old: CurrentItem | undefined): void {
  const { refuse } = staging.options;
  const made = old === undefined ? line.alone : lineOver(staging.vocabulary, line, old);
  if (!("reason" in made)) stageItem(staging, line, old, made);
  else if (refuse === undefined) throw new Error(made.reason);
  else refuse(line.line ?? 0, made.reason);
}

/** An item whose id becomes a redirect is deprecated; its successor stays where the redirect names none. */
function stageMove(
  staging: Staging,
  generation: Generation | undefined,
  { line, redirect }: { readonly line: number; readonly redirect: Redirect },
): void {
  const { loader, vocabulary, source } = staging;
  const old = generation && findCurrent(generation, redirect.id);
  if (old === undefined) {
    stageRedirect(loader, redirect);
    return;
  }
  source.see(old);
  const { id, to } = redirect;
  const patch = { id, status: "deprecated", ...(to === null ? {} : { replaced_by: to }) } as const;
  const prepared = prepareLine(vocabulary, { line, patch });
  const made = lineOver(vocabulary, prepared, old);
  if ("reason" in made) throw new Error(made.reason);
  stageItem(staging, prepared, old, made, source.sourcesWithout(old));
}

/** What the source no longer has is deprecated. It has no line. */
function stageMissing(staging: Staging): void {
  const { loader, vocabulary, source } = staging;
  const generation = currentGeneration(loader.db, vocabulary.name);
  for (const { id, isDeprecated } of source.missing()) {
    const old = findCurrent(generation!, id)!;
    const sources = source.sourcesWithout(old);
    // What another source has is not withdrawn.
    if (isDeprecated || sources !== 0 || source.keepsStatus(id)) {
      source.noteUnchanged(id, old, sources);
      continue;
    }
    const patch = { id, status: "deprecated" } as const;
    const made = makeItem(vocabulary, { ...old.content(), status: "deprecated" });
    insertItem(staging, { line: null, id, alone: made, patch: JSON.stringify(patch) }, old, made, sources);
  }
}

function stageUnchanged({ loader, options, unchanged }: Staging, { line, id }: PreparedLine, hash: Buffer): void {
  if (options.isUnique === true) unchanged.count += 1;
  else loader.db.sql(INSERT).run(line, id, 0, 0, ...[null, null, null, null, null], hash, ...[null, null, null, null]);
}

function stageItem(
  staging: Staging,
  prepared: PreparedLine,
  old: CurrentItem | undefined,
  made: MadeItem,
  sources = staging.source.sourcesOf(old),
): void {
  const { vocabulary, source } = staging;
  const { id, patch: line } = prepared;
  const hash = old?.hash.toString("hex");
  const isSettled = old === undefined || (made.hash === hash && !old.isDeprecated);
  const settled = isSettled ? undefined : source.settle(old, id, made.json, line);
  const wanted = settled === undefined ? made : makeItem(vocabulary, settled.content);
  if (old !== undefined && wanted.hash === hash) {
    source.noteUnchanged(id, old, sources);
    stageUnchanged(staging, prepared, old.hash);
    return;
  }
  const patch = settled?.patch === undefined ? line : JSON.stringify(settled.patch);
  insertItem(staging, { ...prepared, patch }, old, wanted, sources);
}

/** An item that is new or changes. */
function insertItem(
  { loader }: Staging,
  { line, id, patch }: PreparedLine,
  old: CurrentItem | undefined,
  { status, prior, length, parent, successor, hash, json }: MadeItem,
  sources: number,
): void {
  const before = old?.content();
  const fresh = before === undefined ? 1 : 2;
  const moved = parent !== null && parent !== old?.parent ? 1 : 0;
  const isOldSuccessor = successor !== null && successor === before?.replaced_by;
  const link = [parent, isOldSuccessor ? null : successor] as const;
  // Of a new item what the line says is all there is; where somebody adds it meanwhile, it is written over that.
  const said = before === undefined && patch !== null ? NEW_PATCH : patch;
  const changes = before === undefined ? null : changesText(changedFields(before, JSON.parse(json) as TermContent));
  const values = [line, id, fresh, moved, status, prior, length, ...link, Buffer.from(hash, "hex"), json, said];
  loader.db.sql(INSERT).run(...values, changes, sources);
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

function summarise({ loader, vocabulary, options, source, unchanged }: Staging): LoadSummary {
  const { db } = loader;
  const counts = [0, 0, 0];
  const rows = db.sql<{ fresh: number; n: number }>("SELECT fresh, count(*) AS n FROM scratch.item GROUP BY fresh");
  for (const { fresh, n } of rows.all()) counts[fresh] = n;
  const comparison = makeComparison();
  // Of many new items nothing has to be read, unless somebody wants to hear of each.
  const fresh = options.report === undefined ? "fresh = 2" : "fresh > 0";
  const items = db.sql<{ ext: string; content: string; changes: string | null }>(
    `SELECT ext, content, changes FROM scratch.item WHERE ${fresh} ORDER BY n`,
  );
  for (const { ext: id, content, changes } of items.iterate() as Iterable<Fresh>) {
    if (changes === null) {
      source.report({ kind: "new", id, title: (JSON.parse(content) as TermContent).title });
      continue;
    }
    const fields = JSON.parse(changes) as readonly FieldChange[];
    source.report({ kind: comparison.add({ id, fields }), id, fields });
  }
  const redirects = countRedirects(loader, vocabulary.name);
  const { kept } = source;
  return { unchanged: counts[0]! + unchanged.count, new: counts[1]!, redirects, kept, ...comparison.result() };
}

interface Fresh {
  readonly ext: string;
  readonly content: string;
  readonly changes: string | null;
}

/** What is loaded under an id. */
export interface Staged {
  readonly content: TermContent;
  readonly patch: string | null;
  /** Bits of what has it from then on. */
  readonly sources: number;
}

interface StagedRow extends Omit<Staged, "content"> {
  readonly content: string;
}

const parseStaged = ({ content, ...row }: StagedRow): Staged => ({
  ...row,
  content: JSON.parse(content) as TermContent,
});

/** What is loaded under an id, if that changes it. */
export function findStaged(loader: BulkLoader, id: string): Staged | undefined {
  const row = loader.db
    .sql<StagedRow>("SELECT content, patch, sources FROM scratch.item WHERE ext = ? AND fresh > 0")
    .get(id);
  return row && parseStaged(row);
}

/** All that the load changes, in the order it came. */
export function allStaged(loader: BulkLoader): Staged[] {
  return loader.db
    .sql<StagedRow>("SELECT content, patch, sources FROM scratch.item WHERE fresh > 0 ORDER BY n")
    .all()
    .map(parseStaged);
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
