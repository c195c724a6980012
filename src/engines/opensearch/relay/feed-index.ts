import type { IndexFailure, IndexSource, IndexState, LargeImport, SourceView } from "../../../ports/index-source.js";
import type { TermReference } from "../../../ports/store.js";
import { refreshIndexes } from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import type { DocumentWriter, Item } from "./document-writer.js";
import { beginWriting } from "./index-mark.js";

/** Changes that are looked at in one step. */
const CHANGES_AT_ONCE = 500;

/** Terms of a large import that are written in one step: other indexes are fed between two of them. */
const TERMS_OF_IMPORT = 10_000;

/**
 * Brings an index one step nearer to the store. The order is what makes searches exact:
 *
 * 1. `begun` is set to the last change of one view, in the store and in the index itself (see `beginWriting`), before
 *    any document that is made of it is sent. So nothing that the index may ever show is newer than `begun`, whoever
 *    refreshes it: another relay that led before and wakes up, or a copy of a shard that recovers.
 * 2. Documents of all that changed after `applied` are made of that view, and written.
 * 3. A refresh makes them visible, in all copies or it fails.
 * 4. `applied` is set to the last change that was looked at: all up to it show.
 *
 * Whoever is stopped between any of these leaves marks that are still true, and the next one repeats the step:
 * documents carry the last change of their view as their version, so none ever takes the place of a newer one.
 *
 * An import of very many terms is written in several of these steps, of one view each: `applied` follows with the last.
 *
 * @returns whether there was anything to do
 */
export async function feedIndex(
  fed: Fed,
  state: Fedable,
  writer: DocumentWriter,
  signal: AbortSignal,
): Promise<boolean> {
  const { source, client } = fed;
  const { name } = state;
  const step = await writeChanges(fed, state, writer);
  if (step === undefined) return false;
  // Whoever does not lead any more leaves the rest to the next one.
  signal.throwIfAborted();
  const { failures, upTo, isPart } = step;
  if (failures.length > 0) await source.setAside(name, failures, upTo);
  await refreshIndexes(client, [`${name}-*`]);
  await takeBack(source, name, step);
  if (!isPart) await source.noteApplied(state, upTo);
  return true;
}

/** How far imports of very many terms are written, by the names of indexes. */
export type WrittenImports = Map<string, { readonly number: number; readonly n: number }>;

type Fedable = Pick<IndexState, "name" | "epoch" | "applied">;

export interface Fed {
  readonly source: IndexSource;
  readonly client: SearchClient;
  /** What is forgotten is written again. */
  readonly imports: WrittenImports;
}

interface Step {
  readonly upTo: number;
  /** More of the same changes is to be written. */
  readonly isPart: boolean;
  readonly failures: readonly IndexFailure[];
  readonly written: readonly Item[];
}

/** What was refused once, and is taken now. */
async function takeBack(source: IndexSource, name: string, { failures, written, upTo }: Step): Promise<void> {
  const known = new Set((await source.failures(name)).map(keyOf));
  if (known.size === 0) return;
  const refused = new Set(failures.map(keyOf));
  await source.takeBack(
    name,
    written.filter((item) => known.has(keyOf(item)) && !refused.has(keyOf(item))),
    upTo,
  );
}

const keyOf = ({ kind, place = "", id }: Item): string => JSON.stringify([kind, place, id]);

async function writeChanges(fed: Fed, { name, applied }: Fedable, writer: DocumentWriter): Promise<Step | undefined> {
  const view = await fed.source.openView();
  try {
    if (view.head <= applied) return undefined;
    const { upTo, records, terms, large } = await view.changesSince(applied, CHANGES_AT_ONCE, name);
    const part = large && (await nextPart(fed, view, name, large));
    // What was refused counts as changed for ever: it is tried again when it changes.
    const isNew = ({ seq }: { readonly seq: number }): boolean => seq > applied;
    const isPart = part?.isLast === false;
    const changed = isPart
      ? { records: [], terms: part.terms }
      : { records: records.filter(isNew), terms: [...terms.filter(isNew), ...(part?.terms ?? [])] };
    await beginWriting(fed, name, view.head);
    const failures = await writer.write(view, changed);
    part?.noteWritten();
    const written: readonly Item[] = [
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

/** The terms of an import that follow those that are written. */
async function nextPart(
  { imports }: Pick<Fed, "imports">,
  view: Pick<SourceView, "importedAfter">,
  name: string,
  { vocabulary, number }: LargeImport,
): Promise<ImportPart> {
  const before = imports.get(name);
  const rows = await view.importedAfter(number, before?.number === number ? before.n : 0, TERMS_OF_IMPORT);
  const last = rows.at(-1);
  const isLast = rows.length < TERMS_OF_IMPORT || last === undefined;
  return {
    terms: rows.map(({ id }) => ({ vocabulary, id })),
    isLast,
    noteWritten: () => void (isLast ? imports.delete(name) : imports.set(name, { number, n: last.n })),
  };
}
