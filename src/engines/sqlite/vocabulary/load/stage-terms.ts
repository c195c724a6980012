import type { FieldChange } from "../../../../core/answers/term-answers.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { storedList } from "../../../../core/json.js";
import type { TermContent } from "../../../../core/term.js";
import { contentDigest, storedTitles } from "../../../../core/terms/term-row.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../../../ports/loads.js";
import { makeLoadComparison } from "../../../term-loads/compare-items.js";
import {
  compiledContent,
  compileTerm,
  NEW_PATCH,
  type PreparedLine,
  prepareLine as prepareFor,
} from "../../../term-loads/compiled-terms.js";
import { LoadedSource } from "../../../term-loads/loaded-source.js";
import { idOfLine, LineStager, type Stage, storedRow } from "../../../term-loads/stage-lines.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation, readOnSnapshot } from "../store/generation.js";
import { allEdited, deprecatedBy, titleGiversOf } from "../store/history-table.js";
import { resolveId } from "../store/resolve-id.js";
import { findCurrent } from "../store/term-rows.js";
import { sourceBit, sourceBits } from "../store/term-sources.js";
import type { BulkLoader } from "./bulk-loader.js";
import { type ParentLinks, refuseTargets } from "./refuse-targets.js";
import {
  countRedirects,
  insertStaged,
  insertUnchanged,
  makeRowNumbers,
  REDIRECT_TABLE,
  STAGED_TABLES,
  stageRedirect,
} from "./staged-rows.js";

/** Terms that are compared in one transaction: a few milliseconds. */
const BATCH_ITEMS = 500;

/** Ids whose sources a load changes without changing anything else of their terms. */
const ORIGIN_TABLE = "CREATE TABLE scratch.origin(ext TEXT PRIMARY KEY, sources INTEGER NOT NULL) WITHOUT ROWID;";

/**
 * Collects the loaded terms in `scratch.item` and compares them with the stored ones. If an id comes twice, the last
 * one counts.
 * @param breathe called between two batches
 */
export async function stageTerms(
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
  loader.scratch(() => removeRepeated(loader));
  await breathe();
  loader.scratch(() => stageMissing(staging));
  const parents = options.refuse && refuseTargets(loader, vocabulary, options.refuse);
  const summary = loader.scratch(() => summarise(staging));
  return parents === undefined ? { summary } : { summary, parents };
}

/** The result of staging. */
export interface StagedLoad {
  readonly summary: LoadSummary;
  /** Parents of the staged terms, if lines were checked. */
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
  // A new source already has a bit, except in a dry run, in which no terms can have come from it.
  const ownBit = options.source === undefined ? 0 : sourceBit(loader.db, name, options.source);
  const authorityNames = options.authority?.names ?? [];
  const bits = { own: ownBit, authorities: sourceBits(loader.db, name, authorityNames) };
  let editedFields: ReturnType<typeof allEdited> | undefined;
  const source = new LoadedSource(vocabulary, options, bits, {
    edited: (id) => {
      editedFields ??= allEdited(loader.db, name);
      return editedFields.get(id);
    },
    deprecatedBy: (id) => deprecatedBy(loader.db, name, id),
    titleGivers: (id) => titleGiversOf(loader.db, name, id, authorityNames),
  });
  const seen = new SeenRows(source, currentGeneration(loader.db, name));
  const stager = new LineStager(vocabulary, options, source, makeStage(loader, vocabulary));
  return { loader, vocabulary, options, source, seen, lines: stager };
}

function stageBatch(
  { loader, vocabulary, seen, lines: stager }: Staging,
  batch: readonly (TermContent | TermLine)[],
): void {
  loader.scratch(() => {
    const generation = currentGeneration(loader.db, vocabulary.name);
    const otherTerm = stager.refusesOtherIds ? makeOtherTerm(loader.db, generation, vocabulary) : undefined;
    for (const item of batch) {
      const stored = storedRow(item);
      const id = idOfLine(item);
      const storedTerm = stored === undefined ? generation && findCurrent(generation, id) : undefined;
      const row = stored ?? storedTerm?.id;
      if (row !== undefined) seen.add(row);
      stager.add(item, storedTerm, row === undefined ? otherTerm?.(id) : undefined);
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
  const anyRedirect = generation.sql("SELECT 1 FROM redirect WHERE g = $g LIMIT 1").get();
  const deletedId = db.sql("SELECT 1 FROM life WHERE vocabulary = ? LIMIT 1").get(vocabulary.name);
  const mayBeMoved = anyRedirect !== undefined || deletedId !== undefined || vocabulary.aliases.size > 0;
  const spelling = generation.sql("SELECT 1 FROM ext_$g WHERE ext = ? LIMIT 1");
  return (id) => {
    if (!mayBeMoved && spelling.get(id) === undefined) return undefined;
    const resolved = resolveId(db, generation, vocabulary, id);
    return resolved?.kind === "found" ? resolved.row.ext : undefined;
  };
}

/** Deprecates terms that the source no longer has. */
function stageMissing({ loader, vocabulary, seen, lines: stager }: Staging): void {
  const generation: Generation | undefined = currentGeneration(loader.db, vocabulary.name);
  for (const id of seen.missing()) {
    const storedTerm = generation && findCurrent(generation, id);
    if (storedTerm !== undefined) stager.withdraw(id, storedTerm);
  }
}

function makeStage(loader: BulkLoader, vocabulary: Vocabulary): Stage {
  const { db } = loader;
  const nextNumber = makeRowNumbers(db);
  return {
    insert: ({ line, old: storedTerm, made, isMoved, successor, patch, changes, sources }) => {
      const { status, prior, length, hash } = made;
      insertStaged(db, vocabulary, nextNumber(), compiledContent(made), {
        line,
        fresh: storedTerm === undefined ? 1 : 2,
        isMoved,
        status,
        prior,
        length,
        created: null,
        revision: 1,
        hash: Buffer.from(hash, "hex"),
        successor,
        sources,
        patch,
        changes,
      });
    },
    insertUnchanged: (id, line) => insertUnchanged(db, nextNumber(), id, line),
    redirect: (redirect) => stageRedirect(loader, redirect),
    noteSources: (id, sources) => {
      db.sql("INSERT OR REPLACE INTO scratch.origin(ext, sources) VALUES(?, ?)").run(id, sources);
    },
  };
}

function removeRepeated({ db }: BulkLoader): void {
  db.raw.exec("CREATE INDEX scratch.item_ext ON item(ext, fresh, n)");
  const { items, ids } = db
    .sql<{ items: number; ids: number }>("SELECT count(*) AS items, count(DISTINCT ext) AS ids FROM scratch.item")
    .get()!;
  if (ids === items) return;
  db.raw.exec(
    "DELETE FROM scratch.item AS a WHERE EXISTS (SELECT 1 FROM scratch.item b WHERE b.ext = a.ext AND b.n > a.n)",
  );
}

function summarise({ loader, vocabulary, options, source, lines: stager }: Staging): LoadSummary {
  const { db } = loader;
  const counts = [0, 0, 0];
  const rows = db.sql<{ fresh: number; n: number }>("SELECT fresh, count(*) AS n FROM scratch.item GROUP BY fresh");
  for (const { fresh, n } of rows.all()) counts[fresh] = n;
  const comparison = makeLoadComparison();
  // New terms only have to be read if the caller wants a report of each.
  const fresh = options.report === undefined ? "fresh = 2" : "fresh > 0";
  const items = db.sql<StagedChange>(
    `SELECT i.ext, b.title, b.changes FROM scratch.item i JOIN scratch.body b ON b.n = i.n
     WHERE i.${fresh} ORDER BY i.n`,
  );
  for (const { ext: id, title, changes } of items.iterate() as Iterable<StagedChange>) {
    if (changes === null) {
      source.report({ kind: "new", id, title: storedTitles(title, id) });
      continue;
    }
    const fields = storedList<FieldChange>(changes, "The staged term", id);
    source.report({ kind: comparison.add({ id, fields }), id, fields });
  }
  const redirects = countRedirects(loader, vocabulary.name);
  const { kept } = source;
  return { unchanged: counts[0]! + stager.unchanged, new: counts[1]!, redirects, kept, ...comparison.result() };
}

interface StagedChange {
  readonly ext: string;
  readonly title: string;
  readonly changes: string | null;
}

/** Rows read in one query to find those that the source no longer has. */
const MISSING_ROWS = 4_096;

/** During a sync, the rows whose terms the source has: in its list, or by reporting what became of their ids. */
class SeenRows {
  readonly #source: LoadedSource;
  readonly #generation: Generation | undefined;
  /** One bit for each row that exists when the sync begins. */
  readonly #seen: Uint8Array | undefined;

  /** @param generation current one when the load begins */
  constructor(source: LoadedSource, generation: Generation | undefined) {
    this.#source = source;
    this.#generation = generation;
    this.#seen = source.isSync ? new Uint8Array(Math.ceil((generation?.next ?? 0) / 8)) : undefined;
  }

  add(row: number): void {
    const byte = row >> 3;
    // Rows with higher numbers were written later by others and are left unchanged.
    if (this.#seen !== undefined && byte < this.#seen.length) this.#seen[byte]! |= 1 << (row & 7);
  }

  /** Yields the ids of terms that came from the source and that it no longer has. */
  *missing(): Generator<string> {
    const seen = this.#seen;
    if (seen === undefined || this.#generation === undefined || !this.#source.withdraws()) return;
    const { next } = this.#generation;
    const read = this.#generation.sql<{ id: number; ext: string }>(
      "SELECT id, ext FROM term_$g WHERE id >= ? AND id < ? AND (sources & ?) <> 0",
    );
    for (let from = 0; from < next; from += MISSING_ROWS) {
      // Most rows are present: blocks without a missing row are not read.
      if (seen.subarray(from >> 3, (from + MISSING_ROWS) >> 3).every((bits) => bits === 255)) continue;
      for (const { id, ext } of read.all(from, Math.min(from + MISSING_ROWS, next), this.#source.bit)) {
        if ((seen[id >> 3]! & (1 << (id & 7))) === 0) yield ext;
      }
    }
  }
}

/**
 * Compares lines with their stored terms on the thread that reads the file, without writing. Returns the row of an
 * unchanged term, and the content of a new term, which is complete in its line.
 */
export function prepareLines(db: Db, vocabulary: Vocabulary, lines: readonly TermLine[]): PreparedLine[] {
  return readOnSnapshot(db, () => {
    const generation = currentGeneration(db, vocabulary.name);
    return lines.map((line) => prepareLine(generation, vocabulary, line));
  });
}

function prepareLine(generation: Generation | undefined, vocabulary: Vocabulary, line: TermLine): PreparedLine {
  const content = "patch" in line ? line.alone : "content" in line ? line.content : undefined;
  if (content === undefined) return prepareFor(vocabulary, line);
  const { id } = content;
  const storedTerm = generation && findCurrent(generation, id);
  if (storedTerm === undefined) {
    const alone = compileTerm(vocabulary, content);
    return { line: line.line, id, alone, patch: "patch" in line ? NEW_PATCH : null };
  }
  const { id: row, hash, sources } = storedTerm;
  if (storedTerm.isDeprecated || hash !== contentDigest(content)) return prepareFor(vocabulary, line);
  return { line: line.line, id, alone: { row, hash, sources }, patch: null };
}
