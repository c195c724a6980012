import type { IndexFailure } from "../../../ports/index-documents.js";
import type { IndexSource, IndexState, LargeImport, SourceView } from "../../../ports/index-source.js";
import type { TermReference } from "../../../ports/store.js";
import type { IndexDriver } from "../driver/index-driver.js";
import { allPartsOf } from "../driver/index-driver.js";
import type { DocumentWriter, SourceEntry } from "./document-writer.js";
import { beginWriting } from "./index-set.js";

/** Maximum number of changes in one step. */
const CHANGES_AT_ONCE = 500;

/** Number of terms of a large import in one step: other indexes are fed between two steps. */
const TERMS_OF_IMPORT = 10_000;

/**
 * Brings an index one step closer to the store. The order of operations makes searches exact:
 *
 * 1. `begun` is set to the last change of one view, in the store and in the index itself (see `beginWriting`), before
 * any document of that view is sent. So nothing that the index may ever show is newer than `begun`, even if an
 * earlier relay that resumes, or a copy of a shard that recovers, refreshes it.
 * 2. Documents of everything that changed after `applied` are made from that view and written.
 * 3. A refresh makes them visible in all copies, or fails.
 * 4. `applied` is set to the last change of the step: everything up to it is visible.
 *
 * A stop between any of these leaves marks that are still true, and the next relay repeats the step: the version of a
 * document is the last change of its view, so it never replaces a newer one.
 *
 * An import of very many terms is written in several of these steps, with one view each: `applied` follows with the
 * last one.
 *
 * @returns whether there was anything to do
 */
export async function feedIndex(
  context: FeedContext,
  state: FeedState,
  writer: DocumentWriter,
  signal: AbortSignal,
): Promise<boolean> {
  const { source, driver } = context;
  const { name } = state;
  const step = await writeChanges(context, state, writer);
  if (step === undefined) return false;
  // A relay that no longer leads leaves the rest to the next one.
  signal.throwIfAborted();
  const { failures, upTo, isPart } = step;
  if (failures.length > 0) await source.setAside(name, failures, upTo);
  await driver.refresh(allPartsOf(name));
  await takeBack(source, name, step);
  if (!isPart) await source.noteApplied(state, upTo);
  return true;
}

/** Progress of imports of very many terms, by the names of indexes. */
export type WrittenImports = Map<string, { readonly number: number; readonly n: number }>;

type FeedState = Pick<IndexState, "name" | "epoch" | "applied">;

/** The parts that feed an index. */
export interface FeedContext {
  readonly source: IndexSource;
  readonly driver: Pick<IndexDriver, "engineName" | "readMark" | "refresh">;
  /** Progress of large imports. If it is lost, their terms are written again. */
  readonly imports: WrittenImports;
}

interface Step {
  readonly upTo: number;
  /** Whether more of the same changes has to be written. */
  readonly isPart: boolean;
  readonly failures: readonly IndexFailure[];
  readonly written: readonly SourceEntry[];
}

/** Removes the failures of documents that were refused earlier and are accepted now. */
async function takeBack(source: IndexSource, name: string, { failures, written, upTo }: Step): Promise<void> {
  const failedKeys = new Set((await source.failures(name)).map(itemKey));
  if (failedKeys.size === 0) return;
  const refusedKeys = new Set(failures.map(itemKey));
  await source.takeBack(
    name,
    written.filter((item) => failedKeys.has(itemKey(item)) && !refusedKeys.has(itemKey(item))),
    upTo,
  );
}

const itemKey = ({ kind, place = "", id }: SourceEntry): string => JSON.stringify([kind, place, id]);

async function writeChanges(
  context: FeedContext,
  { name, applied }: FeedState,
  writer: DocumentWriter,
): Promise<Step | undefined> {
  const view = await context.source.openView();
  try {
    if (view.head <= applied) return undefined;
    const { upTo, records, terms, large } = await view.changesSince(applied, CHANGES_AT_ONCE, name);
    const importPart = large && (await nextPart(context, view, name, large));
    // A refused document stays in the list of changes: it is retried when it changes.
    const isNew = ({ seq }: { readonly seq: number }): boolean => seq > applied;
    const isPart = importPart?.isLast === false;
    const changed = isPart
      ? { records: [], terms: importPart.terms }
      : { records: records.filter(isNew), terms: [...terms.filter(isNew), ...(importPart?.terms ?? [])] };
    await beginWriting(context, name, view.head);
    const failures = await writer.write(view, changed);
    importPart?.noteWritten();
    const written: readonly SourceEntry[] = [
      ...changed.records.map(({ id }) => ({ kind: "record" as const, id })),
      ...changed.terms.map(({ vocabulary, id }) => ({ kind: "term" as const, place: vocabulary, id })),
    ];
    return { upTo, isPart, failures, written };
  } finally {
    await view.close();
  }
}

interface ImportPart {
  readonly terms: readonly TermReference[];
  readonly isLast: boolean;
  noteWritten(): void;
}

/** Returns the next terms of an import. */
async function nextPart(
  { imports }: Pick<FeedContext, "imports">,
  view: Pick<SourceView, "importedAfter">,
  name: string,
  { vocabulary, number }: LargeImport,
): Promise<ImportPart> {
  const progress = imports.get(name);
  const rows = await view.importedAfter(number, progress?.number === number ? progress.n : 0, TERMS_OF_IMPORT);
  const lastRow = rows.at(-1);
  const isLast = rows.length < TERMS_OF_IMPORT || lastRow === undefined;
  return {
    terms: rows.map(({ id }) => ({ vocabulary, id })),
    isLast,
    noteWritten: () => void (isLast ? imports.delete(name) : imports.set(name, { number, n: lastRow.n })),
  };
}
