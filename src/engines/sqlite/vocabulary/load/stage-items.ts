import type { FieldChange } from "../../../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { storedList } from "../../../../core/json.js";
import type { TermContent } from "../../../../core/term.js";
import { storedTitles } from "../../../../core/terms/term-row.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../../../ports/store.js";
import { makeComparison } from "../../../term-loads/compare-items.js";
import { LoadedSource } from "../../../term-loads/loaded-source.js";
import { contentOfMade } from "../../../term-loads/made-items.js";
import { idOfLine, LineStager, type Stage, storedRow } from "../../../term-loads/stage-lines.js";
import { findCurrent } from "../store/current-item.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import { allEdited, deprecatedBy, titleGiversOf } from "../store/history-table.js";
import { resolveId } from "../store/resolve-id.js";
import { sourceBit, sourceBits } from "../store/source-bits.js";
import type { BulkLoader } from "./bulk-loader.js";
import type { ParentLinks } from "./link-parents.js";
import { countRedirects, REDIRECT_TABLE, stageRedirect } from "./redirects.js";
import { refuseTargets } from "./refuse-targets.js";
import { SeenRows } from "./seen-rows.js";
import { insertStaged, insertUnchanged, numbers, STAGED_TABLES } from "./staged-rows.js";

/** Items that are compared in one go: a few milliseconds. */
const BATCH_ITEMS = 500;

/** Ids whose sources a load changes although it changes nothing else of their items. */
const ORIGIN_TABLE = "CREATE TABLE scratch.origin(ext TEXT PRIMARY KEY, sources INTEGER NOT NULL) WITHOUT ROWID;";

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
): Promise<StagedLoad> {
  loader.db.raw.exec(STAGED_TABLES + ORIGIN_TABLE + REDIRECT_TABLE);
  const staging = openStaging(loader, vocabulary, options);
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
  const parents = options.refuse && refuseTargets(loader, vocabulary, options.refuse);
  const summary = loader.scratch(() => summarise(staging));
  return parents === undefined ? { summary } : { summary, parents };
}

export interface StagedLoad {
  readonly summary: LoadSummary;
  /** Where lines were checked for them. */
  readonly parents?: ParentLinks;
}

interface Staging {
  readonly loader: BulkLoader;
  readonly vocabulary: Vocabulary;
  readonly options: LoadOptions;
  readonly source: LoadedSource;
  readonly seen: SeenRows;
  readonly lines: LineStager;
}

function openStaging(loader: BulkLoader, vocabulary: Vocabulary, options: LoadOptions): Staging {
  const { name } = vocabulary;
  // A source that is new has a bit by now, but in a dry run, where nothing can have come from it.
  const own = options.source === undefined ? 0 : sourceBit(loader.db, name, options.source);
  const authorityNames = options.authority?.names ?? [];
  const bits = { own, authorities: sourceBits(loader.db, name, authorityNames) };
  let edited: ReturnType<typeof allEdited> | undefined;
  const source = new LoadedSource(vocabulary, options, bits, {
    edited: (id) => {
      edited ??= allEdited(loader.db, name);
      return edited.get(id);
    },
    deprecatedBy: (id) => deprecatedBy(loader.db, name, id),
    titleGivers: (id) => titleGiversOf(loader.db, name, id, authorityNames),
  });
  const seen = new SeenRows(source, currentGeneration(loader.db, name));
  const lines = new LineStager(vocabulary, options, source, stageOf(loader, vocabulary));
  return { loader, vocabulary, options, source, seen, lines };
}

function stageBatch({ loader, vocabulary, seen, lines }: Staging, batch: readonly (TermContent | TermLine)[]): void {
  loader.scratch(() => {
    const generation = currentGeneration(loader.db, vocabulary.name);
    const otherTerm = lines.refusesOtherIds ? makeOtherTerm(loader.db, generation, vocabulary) : undefined;
    for (const item of batch) {
      const stored = storedRow(item);
      const id = idOfLine(item);
      const old = stored === undefined ? generation && findCurrent(generation, id) : undefined;
      const row = stored ?? old?.id;
      if (row !== undefined) seen.add(row);
      lines.add(item, old, row === undefined ? otherTerm?.(id) : undefined);
    }
  });
}

/**
 * Makes a function that returns the id of the term to which a redirected id leads. Most vocabularies have no redirects;
 * one query per batch and one for each new id find this out.
 */
function makeOtherTerm(
  db: BulkLoader["db"],
  generation: Generation | undefined,
  vocabulary: Vocabulary,
): (id: string) => string | undefined {
  if (generation === undefined) return () => undefined;
  const redirects = generation.sql("SELECT 1 FROM redirect WHERE g = $g LIMIT 1").get();
  const removed = db.sql("SELECT 1 FROM life WHERE vocabulary = ? LIMIT 1").get(vocabulary.name);
  const mayBeMoved = redirects !== undefined || removed !== undefined || vocabulary.aliases.size > 0;
  const spelling = generation.sql("SELECT 1 FROM ext_$g WHERE ext = ? LIMIT 1");
  return (id) => {
    if (!mayBeMoved && spelling.get(id) === undefined) return undefined;
    const resolved = resolveId(db, generation, vocabulary, id);
    return resolved?.kind === "found" ? resolved.row.ext : undefined;
  };
}

/** What the source no longer has is deprecated. */
function stageMissing({ loader, vocabulary, seen, lines }: Staging): void {
  const generation: Generation | undefined = currentGeneration(loader.db, vocabulary.name);
  for (const id of seen.missing()) {
    const old = generation && findCurrent(generation, id);
    if (old !== undefined) lines.withdraw(id, old);
  }
}

function stageOf(loader: BulkLoader, vocabulary: Vocabulary): Stage {
  const { db } = loader;
  const nextNumber = numbers(db);
  return {
    insert: ({ line, old, made, isMoved, successor, patch, changes, sources }) => {
      const { status, prior, length, hash } = made;
      insertStaged(db, vocabulary, nextNumber(), contentOfMade(made), {
        ...{
          line,
          fresh: old === undefined ? 1 : 2,
          isMoved,
          status,
          prior,
          length,
          successor,
          sources,
          patch,
          changes,
        },
        ...{ created: null, revision: 1, hash: Buffer.from(hash, "hex") },
      });
    },
    insertUnchanged: (id, line) => insertUnchanged(db, nextNumber(), id, line),
    redirect: (redirect) => stageRedirect(loader, redirect),
    noteSources: (id, sources) => {
      db.sql("INSERT OR REPLACE INTO scratch.origin(ext, sources) VALUES(?, ?)").run(id, sources);
    },
  };
}

function keepLast({ db }: BulkLoader): void {
  db.raw.exec("CREATE INDEX scratch.item_ext ON item(ext, fresh, n)");
  const { items, ids } = db
    .sql<{ items: number; ids: number }>("SELECT count(*) AS items, count(DISTINCT ext) AS ids FROM scratch.item")
    .get()!;
  if (ids === items) return;
  db.raw.exec(
    "DELETE FROM scratch.item AS a WHERE EXISTS (SELECT 1 FROM scratch.item b WHERE b.ext = a.ext AND b.n > a.n)",
  );
}

function summarise({ loader, vocabulary, options, source, lines }: Staging): LoadSummary {
  const { db } = loader;
  const counts = [0, 0, 0];
  const rows = db.sql<{ fresh: number; n: number }>("SELECT fresh, count(*) AS n FROM scratch.item GROUP BY fresh");
  for (const { fresh, n } of rows.all()) counts[fresh] = n;
  const comparison = makeComparison();
  // Of many new items nothing has to be read, unless somebody wants to hear of each.
  const fresh = options.report === undefined ? "fresh = 2" : "fresh > 0";
  const items = db.sql<Fresh>(
    `SELECT i.ext, b.title, b.changes FROM scratch.item i JOIN scratch.body b ON b.n = i.n
     WHERE i.${fresh} ORDER BY i.n`,
  );
  for (const { ext: id, title, changes } of items.iterate() as Iterable<Fresh>) {
    if (changes === null) {
      source.report({ kind: "new", id, title: storedTitles(title, id) });
      continue;
    }
    const fields = storedList<FieldChange>(changes, "The staged term", id);
    source.report({ kind: comparison.add({ id, fields }), id, fields });
  }
  const redirects = countRedirects(loader, vocabulary.name);
  const { kept } = source;
  return { unchanged: counts[0]! + lines.unchanged, new: counts[1]!, redirects, kept, ...comparison.result() };
}

interface Fresh {
  readonly ext: string;
  readonly title: string;
  readonly changes: string | null;
}
