import { randomUUID } from "node:crypto";
import type { Json } from "../../../core/json.js";
import type { IndexFailure, IndexSource, IndexState, SourceView } from "../../../ports/index-source.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { refreshIndexes } from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import { numberPaths } from "../documents/path-numbers.js";
import { type DocumentWriter, makeDocumentWriter } from "./document-writer.js";
import { feedIndex } from "./feed-index.js";
import { RECORDS_AT_ONCE, TERMS_AT_ONCE } from "./in-parts.js";
import { beginWriting, createMark } from "./index-mark.js";
import { createIndexSet, type IndexSetOptions, madeBy, madeOf } from "./index-set.js";
import { overlap } from "./overlap.js";

export interface BuildOptions extends IndexSetOptions {
  readonly source: IndexSource;
  /** A term with more items below it is a large one, see `Below`. */
  readonly largeAbove: number;
}

/** Notes a new index, with all that changes from now on to be fed to it. */
export async function addIndex(options: BuildOptions, name: string): Promise<void> {
  const { source, client, catalog } = options;
  const view = await source.openView();
  const { head } = view;
  const large = await largeTerms(options, view).finally(() => view.close());
  await createIndexSet(options, name, numberPaths(catalog));
  const mark = { epoch: randomUUID(), begun: head };
  await createMark(client, name, mark);
  await source.addIndex({ name, ...mark, made: madeBy(catalog) as unknown as Json, applied: head, scanned: 0, large });
}

async function largeTerms(
  { catalog, largeAbove }: BuildOptions,
  view: SourceView,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const large = new Map<string, readonly string[]>();
  for (const { name, hierarchy } of catalog.vocabularies.values()) {
    if (hierarchy) large.set(name, await view.findLargeTerms(name, largeAbove));
  }
  return new Map([...large].filter(([, ids]) => ids.length > 0));
}

/**
 * Writes all that the store has into an index that was added, beside whoever feeds it. Going on after a stop it begins
 * with the record after the last one that it noted.
 */
export async function fillIndex(
  options: BuildOptions,
  state: IndexState,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const { source, client, catalog } = options;
  const { name, scanned = 0 } = state;
  const numbers = numberPaths(catalog, madeOf(state).paths);
  const writer = makeDocumentWriter({ client, catalog, index: name, numbers });
  const filling: Filling = { source, client, name, writer, signal, onProgress };
  await fillRecords(filling, scanned);
  for (const vocabulary of catalog.vocabularies.keys()) await fillTerms(filling, vocabulary);
  await refreshIndexes(client, [`${name}-*`]);
  await source.noteScanned(name);
}

/**
 * Feeds an index what had changed by now since it was begun. What is written meanwhile is left to whoever feeds it, and
 * to searches, which judge it: with many writers it would never be level.
 */
export async function bringLevel(options: BuildOptions, name: string, signal: AbortSignal): Promise<void> {
  const { source, client, catalog } = options;
  const view = await source.openView();
  const { head } = view;
  await view.close();
  const fed = { ...options, imports: new Map() };
  for (;;) {
    const state = (await source.states()).find((each) => each.name === name);
    if (state === undefined) throw new Error(`The index ${name} was dropped while it was made.`);
    if (state.applied >= head) return;
    const numbers = numberPaths(catalog, madeOf(state).paths);
    await feedIndex(fed, state, makeDocumentWriter({ client, catalog, index: name, numbers }), signal);
  }
}

interface Filling {
  readonly source: IndexSource;
  readonly client: SearchClient;
  readonly name: string;
  readonly writer: DocumentWriter;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

async function fillRecords(filling: Filling, scanned: number): Promise<void> {
  const { source, name, onProgress } = filling;
  let done = 0;
  await overlap(recordParts(filling, scanned), async ({ records, ...part }) => {
    await setAside(filling, part);
    await source.noteScanned(name, records.at(-1)!.row);
    done += records.length;
    onProgress({ what: "records", done, of: 0 });
  });
}

async function* recordParts(filling: Filling, scanned: number) {
  for (let row = scanned; ; ) {
    const { records, send, head } = await eachView(filling, async (view) => {
      const read = await view.recordsAfter(row, RECORDS_AT_ONCE);
      return { records: read, send: await filling.writer.prepareRecords(view, read), head: view.head };
    });
    const last = records.at(-1);
    if (last === undefined) return;
    yield async () => ({ records, head, failures: await send() });
    row = last.row;
  }
}

async function fillTerms(filling: Filling, vocabulary: string): Promise<void> {
  let done = 0;
  await overlap(termParts(filling, vocabulary), async ({ terms, ...part }) => {
    await setAside(filling, part);
    done += terms.length;
    filling.onProgress({ what: vocabulary, done, of: 0 });
  });
}

async function* termParts(filling: Filling, vocabulary: string) {
  for (let id = ""; ; ) {
    const { terms, send, head } = await eachView(filling, async (view) => {
      const read = await view.termsAfter(vocabulary, id, TERMS_AT_ONCE);
      return { terms: read, send: await filling.writer.prepareTerms(view, vocabulary, read), head: view.head };
    });
    const last = terms.at(-1);
    if (last === undefined) return;
    yield async () => ({ terms, head, failures: await send() });
    id = last.content.id;
  }
}

/** A view for each part: none is held for long. What it has may be in the index from then on. */
async function eachView<T>(
  { source, client, name, signal }: Filling,
  work: (view: SourceView) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const view = await source.openView();
  try {
    await beginWriting({ source, client }, name, view.head);
    return await work(view);
  } finally {
    await view.close();
  }
}

/** What the index refused of a part, as a view had it. */
interface WrittenPart {
  readonly head: number;
  readonly failures: readonly IndexFailure[];
}

async function setAside({ source, name }: Filling, { head, failures }: WrittenPart): Promise<void> {
  if (failures.length > 0) await source.setAside(name, failures, head);
}
