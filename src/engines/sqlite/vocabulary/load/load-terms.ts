import { changedFields } from "../../../../core/catalog/patch-term.js";
import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import { LIMITS } from "../../../../core/limits.js";
import type { TermContent } from "../../../../core/term.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../../../ports/store.js";
import { stagedOver } from "../../../term-loads/stage-lines.js";
import { lastChange, noteChange } from "../../connection/change-table.js";
import type { Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { noteStale } from "../store/cited-terms.js";
import { currentGeneration, ensureGeneration } from "../store/generation.js";
import { findCurrent } from "../store/term-rows.js";
import { takeSourceBit } from "../store/term-sources.js";
import { type PutOutcome, putTerm, requireVocabulary } from "../store/term-writer.js";
import { type BulkLoader, openBulkLoader } from "./bulk-loader.js";
import { heartbeat, heartbeats, withClaim } from "./claim.js";
import { fillGeneration } from "./fill-generation.js";
import { type StagedLoad, stageTerms } from "./stage-terms.js";
import { allStaged, changedRedirects, putRedirects } from "./staged-rows.js";
import {
  changesText,
  type LoadOrigin,
  noteLoadDone,
  switchGeneration,
  writeLoadedHistory,
} from "./switch-generation.js";

/** Services that a load needs from its process. */
interface LoadTools {
  isStopped(): boolean;
  /** If undefined, this thread builds full-text tables. */
  readonly builder?: TextBuilder | undefined;
}

/**
 * Loads terms as `Store.loadTerms` specifies. It has a connection and a scratch database of its own; only small changes
 * and the switch run in a transaction of `writer`. Only one load per vocabulary runs at a time.
 * @throws BinderyError STORE_UNAVAILABLE (another load runs, no disk); errors of `items`
 */
export async function loadTerms(
  writer: Writer,
  catalog: Catalog,
  name: string,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions & LoadTools,
): Promise<LoadSummary> {
  const vocabulary = requireVocabulary(catalog, name);
  const { isStopped, builder, isWanted = () => true } = options;
  if (options.dryRun) return await compareOnly(writer, vocabulary, items, options);
  return await withClaim(writer, vocabulary, { isStopped, isRemake: false, builder }, async (loader, g) => {
    const { source } = options;
    if (source !== undefined) await writer.run(() => void takeSourceBit(writer.db, name, source));
    // Writes after this point may overwrite what was compared, so they are replayed.
    const since = lastChange(loader.db);
    const staged = await stageTerms(loader, vocabulary, items, options, heartbeats(loader, g));
    if (!isWanted()) return staged.summary;
    const origin = { source, auditEntry: options.auditEntry };
    const written = await writeStaged(writer, vocabulary, loader, { ...options, g, since, staged, origin });
    await noteSources(loader, name);
    return written;
  });
}

interface WriteOptions extends Pick<LoadOptions, "onIndexed"> {
  readonly g: number;
  /** Number of the last change that is certainly included in the staged terms. */
  readonly since: number;
  readonly staged: StagedLoad;
  readonly origin: LoadOrigin;
}

async function writeStaged(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, since, staged, onIndexed, origin }: WriteOptions,
): Promise<LoadSummary> {
  const { summary, parents } = staged;
  const writtenCount = summary.new + summary.changed;
  if (writtenCount + summary.redirects === 0) return summary;
  if (writtenCount + summary.redirects <= LIMITS.importTransactionItemsMax) {
    const counts = await loadFew(writer, vocabulary, loader, { g, origin });
    return { ...summary, ...counts, unchanged: counts.unchanged + summary.unchanged };
  }
  await fillGeneration(writer, vocabulary, loader, { g, parents, onIndexed });
  await switchGeneration(writer, vocabulary, loader, { g, since, isImport: writtenCount > 0, origin });
  return summary;
}

/** Returns what a load would do. Writes nothing and claims nothing. */
async function compareOnly(
  writer: Writer,
  vocabulary: Vocabulary,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions & LoadTools,
): Promise<LoadSummary> {
  const loader = openBulkLoader(writer, options.isStopped);
  try {
    return (await stageTerms(loader, vocabulary, items, options, async () => undefined)).summary;
  } finally {
    loader.close();
  }
}

/** Remakes a generation from the existing terms, in rank order and with the current declaration of the vocabulary. */
export async function remakeGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  isStopped: () => boolean,
): Promise<void> {
  await withClaim(writer, vocabulary, { isStopped, isRemake: true }, async (loader, g) => {
    await stageTerms(loader, vocabulary, noTerms(), {}, heartbeats(loader, g));
    const since = await fillGeneration(writer, vocabulary, loader, { g });
    await switchGeneration(writer, vocabulary, loader, { g, since, isImport: false, origin: {} });
  });
}

async function* noTerms(): AsyncGenerator<TermContent> {}

/** Writes few changes in one transaction to the current generation. */
function loadFew(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, origin }: Pick<WriteOptions, "g" | "origin">,
): Promise<Record<PutOutcome["outcome"], number>> {
  // Finding these among all redirects of the load takes longer than the lock may be held; no other load changes them.
  const redirects = changedRedirects(loader, vocabulary.name);
  return writer.run((now) => {
    const { db } = writer;
    heartbeat(db, g);
    const counts = { new: 0, changed: 0, unchanged: 0 };
    let entryCount = 0;
    const insertEntry = db.sql("INSERT INTO change_term(import, n, id, action, revision) VALUES(?, ?, ?, ?, ?)");
    for (const staged of allStaged(loader)) {
      const { id } = staged.content;
      const current = currentGeneration(db, vocabulary.name);
      const oldContent = current && findCurrent(current, id)?.content();
      const content = stagedOver(vocabulary, staged, oldContent);
      const { outcome, revision } = putTerm(db, vocabulary, content, now, staged.sources);
      counts[outcome] += 1;
      if (outcome === "unchanged") continue;
      noteStale(db, vocabulary.name, id);
      entryCount += 1;
      insertEntry.run(g, entryCount, id, outcome === "new" ? "created" : "updated", revision);
      if (oldContent === undefined) continue;
      writeLoadedHistory(db, vocabulary.name, g, {
        ext: id,
        revision,
        changes: changesText(changedFields(oldContent, content)),
      });
    }
    if (entryCount > 0) noteLoadDone(db, vocabulary.name, g, origin, now);
    putRedirects(ensureGeneration(db, vocabulary), redirects);
    if (entryCount > 0)
      noteChange(db, now, { kind: "term", action: "imported", place: vocabulary.name, id: String(g) });
    return counts;
  });
}

/** Rows whose sources one statement of a transaction updates. */
const SOURCE_ROWS = 500;

/**
 * Writes the sources of terms that a load left unchanged, after it succeeded. They are not visible, so cached terms
 * stay valid. Sources that are lost with a kill are written by the next load of the source.
 */
async function noteSources(loader: BulkLoader, vocabulary: string): Promise<void> {
  const { db } = loader;
  const rows = db.sql<{ ext: string; sources: number }>(
    "SELECT ext, sources FROM scratch.origin WHERE ext > ? ORDER BY ext LIMIT ?",
  );
  let lastId = "";
  let batch = rows.all(lastId, SOURCE_ROWS);
  if (batch.length === 0) return;
  await loader.steps((isLate) => {
    const generation = currentGeneration(db, vocabulary);
    if (generation === undefined) return "done";
    const update = generation.sql(
      `UPDATE term_$g SET sources = ? WHERE id = (SELECT t.id FROM ext_$g e JOIN term_$g t ON t.id = e.id
         WHERE e.ext = ? AND t.ext = ? COLLATE BINARY)`,
    );
    while (batch.length > 0) {
      for (const { ext, sources } of batch) update.run(sources, ext, ext);
      lastId = batch.at(-1)!.ext;
      batch = rows.all(lastId, SOURCE_ROWS);
      if (isLate()) return "more";
    }
    return "done";
  });
}
