import { changedFields } from "../../../../core/catalog/merge-term.js";
import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import { LIMITS } from "../../../../core/limits.js";
import type { TermContent } from "../../../../core/term.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../../../ports/store.js";
import { stagedOver } from "../../../term-loads/stage-lines.js";
import { lastChange, noteChange } from "../../connection/change-table.js";
import type { Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { findCurrent } from "../store/current-item.js";
import { currentGeneration } from "../store/generation.js";
import { ensureGeneration } from "../store/make-generation.js";
import { takeSourceBit } from "../store/source-bits.js";
import { noteStale } from "../store/stale-terms.js";
import { declared, type PutOutcome, putTerm } from "../store/term-writer.js";
import { type BulkLoader, openBulkLoader } from "./bulk-loader.js";
import { heartbeat, heartbeats, withClaim } from "./claim.js";
import { fillGeneration } from "./fill-generation.js";
import { changesText, noteLoadDone, noteLoaded } from "./load-history.js";
import { noteSources } from "./note-sources.js";
import { changedRedirects, putRedirects } from "./redirects.js";
import { type StagedLoad, stageItems } from "./stage-items.js";
import { allStaged } from "./staged-rows.js";
import { switchGeneration } from "./switch-generation.js";

/** What a load needs of the process that it runs in. */
interface LoadTools {
  isStopped(): boolean;
  /** Absent: full-text tables are built on this thread. */
  readonly builder?: TextBuilder | undefined;
}

/**
 * Loads items as `Store.loadTerms` says. It has a connection and a scratch database of its own; only small changes
 * and the switch run in a transaction of `writer`. One load per vocabulary at a time.
 * @throws BinderyError STORE_UNAVAILABLE (another load runs, no disk); what `items` throws
 */
export async function loadTerms(
  writer: Writer,
  catalog: Catalog,
  name: string,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions & LoadTools,
): Promise<LoadSummary> {
  const vocabulary = declared(catalog, name);
  const { isStopped, builder, isWanted = () => true } = options;
  if (options.dryRun) return await compareOnly(writer, vocabulary, items, options);
  return await withClaim(writer, vocabulary, { isStopped, isRemake: false, builder }, async (loader, g) => {
    const { source } = options;
    if (source !== undefined) await writer.run(() => void takeSourceBit(writer.db, name, source));
    // What is written from now on may be written over what was compared: it is replayed.
    const since = lastChange(loader.db);
    const staged = await stageItems(loader, vocabulary, items, options, heartbeats(loader, g));
    if (!isWanted()) return staged.summary;
    const written = await writeStaged(writer, vocabulary, loader, { g, since, staged, ...options });
    await noteSources(loader, name);
    return written;
  });
}

interface ToWrite extends Pick<LoadOptions, "onIndexed" | "source"> {
  readonly g: number;
  /** Number of the last change that is certainly in what was staged. */
  readonly since: number;
  readonly staged: StagedLoad;
}

async function writeStaged(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, since, staged, onIndexed, source }: ToWrite,
): Promise<LoadSummary> {
  const { summary, parents } = staged;
  const fresh = summary.new + summary.changed;
  if (fresh + summary.redirects === 0) return summary;
  if (fresh + summary.redirects <= LIMITS.importTransactionItemsMax) {
    const counts = await loadFew(writer, vocabulary, loader, { g, source });
    return { ...summary, ...counts, unchanged: counts.unchanged + summary.unchanged };
  }
  await fillGeneration(writer, vocabulary, loader, { g, ...(parents && { parents }), ...(onIndexed && { onIndexed }) });
  await switchGeneration(writer, vocabulary, loader, { g, since, isImport: fresh > 0, source });
  return summary;
}

/** What a load would do. Nothing is written: not even a place is held. */
async function compareOnly(
  writer: Writer,
  vocabulary: Vocabulary,
  items: AsyncIterable<TermContent | TermLine>,
  options: LoadOptions & LoadTools,
): Promise<LoadSummary> {
  const loader = openBulkLoader(writer, options.isStopped);
  try {
    return (await stageItems(loader, vocabulary, items, options, async () => undefined)).summary;
  } finally {
    loader.close();
  }
}

/** Makes a generation again from what is there: in rank order, and as the vocabulary is declared now. */
export async function remakeGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  isStopped: () => boolean,
): Promise<void> {
  await withClaim(writer, vocabulary, { isStopped, isRemake: true }, async (loader, g) => {
    await stageItems(loader, vocabulary, nothing(), {}, heartbeats(loader, g));
    const since = await fillGeneration(writer, vocabulary, loader, { g });
    await switchGeneration(writer, vocabulary, loader, { g, since, isImport: false, source: undefined });
  });
}

async function* nothing(): AsyncGenerator<TermContent> {}

/** Few changes are one transaction on the current generation. */
function loadFew(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, source }: { readonly g: number; readonly source: string | undefined },
): Promise<Record<PutOutcome["outcome"], number>> {
  // Finding them among all that the load names takes longer than the lock may be held; no other load changes them.
  const redirects = changedRedirects(loader, vocabulary.name);
  return writer.run((now) => {
    const { db } = writer;
    heartbeat(db, g);
    const counts = { new: 0, changed: 0, unchanged: 0 };
    let n = 0;
    const entry = db.sql("INSERT INTO change_term(import, n, id, action, revision) VALUES(?, ?, ?, ?, ?)");
    for (const staged of allStaged(loader)) {
      const { id } = staged.content;
      const current = currentGeneration(db, vocabulary.name);
      const before = current && findCurrent(current, id)?.content();
      const content = stagedOver(vocabulary, staged, before);
      const { outcome, revision } = putTerm(db, vocabulary, content, now, staged.sources);
      counts[outcome] += 1;
      if (outcome === "unchanged") continue;
      noteStale(db, vocabulary.name, id);
      n += 1;
      entry.run(g, n, id, outcome === "new" ? "created" : "updated", revision);
      if (before === undefined) continue;
      noteLoaded(db, vocabulary.name, g, { ext: id, revision, changes: changesText(changedFields(before, content)) });
    }
    if (n > 0) noteLoadDone(db, vocabulary.name, g, source, now);
    putRedirects(ensureGeneration(db, vocabulary), redirects);
    if (n > 0) noteChange(db, now, { kind: "term", action: "imported", place: vocabulary.name, id: String(g) });
    return counts;
  });
}
