import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type {
  BuiltGeneration,
  GenerationBuilder,
  IndexFailure,
  LoadedTerms,
  PlacedTerm,
} from "../../../ports/index-documents.js";
import type { IndexSource, IndexState, SourceView } from "../../../ports/index-source.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import {
  allPartsOf,
  type IndexDriver,
  type IndexFormat,
  recordsIndexOf,
  termDocumentKey,
  termsIndexOf,
} from "../driver/index-driver.js";
import { overlap, RECORDS_AT_ONCE, TERMS_AT_ONCE } from "./batches.js";
import { type DocumentWriter, makeDocumentWriter } from "./document-writer.js";
import { feedIndex } from "./feed-index.js";
import { beginWriting, createIndexSet, type IndexSetOptions } from "./index-set.js";

/** The parts that a build of an index uses. */
export interface BuildOptions extends IndexSetOptions {
  readonly source: IndexSource;
  readonly format: IndexFormat;
  /** Number of terms below a term above which it is a large one, see `TermSubtree`. */
  readonly largeAbove: number;
}

/** Adds a new index, which receives all changes from now on. */
export async function addIndex(options: BuildOptions, name: string): Promise<void> {
  const { source, driver, format } = options;
  const view = await source.openView();
  const { head } = view;
  const large = await largeTerms(options, view).finally(() => view.close());
  const made = format.define();
  await createIndexSet(options, name, made);
  const mark = { epoch: randomUUID(), begun: head };
  await driver.createMark(name, mark);
  await source.addIndex({
    name,
    ...mark,
    made,
    applied: head,
    scanned: 0,
    large,
  });
}

async function largeTerms(
  { catalog, largeAbove }: BuildOptions,
  view: SourceView,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const large = new Map<string, readonly string[]>();
  for (const { name, hierarchy } of catalog.vocabularies.values()) {
    if (hierarchy) large.set(name, await view.trees.findLargeTerms(name, largeAbove));
  }
  return new Map([...large].filter(([, ids]) => ids.length > 0));
}

/**
 * Writes everything that the store has into an added index, while the relay feeds it. After a stop it continues with
 * the record after the last saved one.
 */
export async function fillIndex(
  options: BuildOptions,
  state: IndexState,
  signal: AbortSignal,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const { source, driver, catalog } = options;
  const { name, scanned = 0 } = state;
  const writer = makeDocumentWriter(options, state);
  const filling: FillContext = { source, driver, name, writer, signal, onProgress };
  await fillRecords(filling, scanned);
  for (const vocabulary of catalog.vocabularies.keys()) await fillTerms(filling, vocabulary);
  await driver.refresh(allPartsOf(name));
  await source.noteScanned(name);
}

/**
 * Feeds an index the changes up to now. Concurrent writes are left to the relay and to the overlay of searches: with
 * many writers the index would never be level.
 */
export async function bringLevel(options: BuildOptions, name: string, signal: AbortSignal): Promise<void> {
  const { source } = options;
  const view = await source.openView();
  const { head } = view;
  await view.close();
  const feedOptions = { ...options, imports: new Map() };
  for (;;) {
    const state = (await source.states()).find((each) => each.name === name);
    if (state === undefined) throw new Error(`The index ${name} was dropped while it was made.`);
    if (state.applied >= head) return;
    await feedIndex(feedOptions, state, makeDocumentWriter(options, state), signal);
  }
}

interface FillContext {
  readonly source: IndexSource;
  readonly driver: IndexDriver;
  readonly name: string;
  readonly writer: DocumentWriter;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

async function fillRecords(filling: FillContext, scanned: number): Promise<void> {
  const { source, name, onProgress } = filling;
  let writtenCount = 0;
  await overlap(recordParts(filling, scanned), async ({ records, ...part }) => {
    await setAside(filling, part);
    await source.noteScanned(name, records.at(-1)!.row);
    writtenCount += records.length;
    onProgress({ what: "records", done: writtenCount, of: 0 });
  });
}

async function* recordParts(filling: FillContext, scanned: number) {
  for (let row = scanned; ; ) {
    const { records, send, head } = await withView(filling, async (view) => {
      const records = await view.recordsAfter(row, RECORDS_AT_ONCE);
      return { records, send: await filling.writer.prepareRecords(view, records), head: view.head };
    });
    const last = records.at(-1);
    if (last === undefined) return;
    yield async () => ({ records, head, failures: await send() });
    row = last.row;
  }
}

async function fillTerms(filling: FillContext, vocabulary: string): Promise<void> {
  let writtenCount = 0;
  await overlap(termParts(filling, vocabulary), async ({ terms, ...part }) => {
    await setAside(filling, part);
    writtenCount += terms.length;
    filling.onProgress({ what: vocabulary, done: writtenCount, of: 0 });
  });
}

async function* termParts(filling: FillContext, vocabulary: string) {
  for (let id = ""; ; ) {
    const { terms, send, head } = await withView(filling, async (view) => {
      const terms = await view.termsAfter(vocabulary, id, TERMS_AT_ONCE);
      return { terms, send: await filling.writer.prepareTerms(view, vocabulary, terms), head: view.head };
    });
    const lastTerm = terms.at(-1);
    if (lastTerm === undefined) return;
    yield async () => ({ terms, head, failures: await send() });
    id = lastTerm.content.id;
  }
}

/** Opens a view for each part, so that none is held for long. Its content may be in the index from then on. */
async function withView<T>(
  { source, driver, name, signal }: FillContext,
  work: (view: SourceView) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const view = await source.openView();
  try {
    await beginWriting({ source, driver }, name, view.head);
    return await work(view);
  } finally {
    await view.close();
  }
}

/** Documents of a part that the index refused, as of a view. */
interface WrittenPart {
  readonly head: number;
  readonly failures: readonly IndexFailure[];
}

async function setAside({ source, name }: FillContext, { head, failures }: WrittenPart): Promise<void> {
  if (failures.length > 0) await source.setAside(name, failures, head);
}

interface BuilderOptions {
  readonly driver: IndexDriver;
  readonly format: IndexFormat;
  readonly catalog: Catalog;
  readonly itemsMin: number;
  readonly largeAbove: number;
}

/** Pauses between retries: a load of millions must not fail because the search engine is overloaded for a moment. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000];

/** Below every later version of a document, so that any change replaces it. */
const FIRST_VERSION = 0;

/** Makes the index of a vocabulary for a load, next to the one that searches use until the load ends. */
export function makeGenerationBuilder(options: BuilderOptions): GenerationBuilder {
  const { driver, format, catalog, itemsMin, largeAbove } = options;
  return {
    itemsMin,
    takes: (made) => format.isUsable(made),
    largeAbove,
    async build(index, name, generation, items): Promise<BuiltGeneration> {
      const vocabulary = catalog.vocabularies.get(name)!;
      const target = termsIndexOf(index, name, generation);
      // Left by a failed load.
      await driver.drop(target);
      const shards = await driver.countShards(recordsIndexOf(index));
      await driver.createTermIndex(target, shards ?? 1, vocabulary);
      const writing: Writing = { driver, format, target, vocabulary };
      const refused = await writeAll(writing, items);
      return {
        async finish(changedTerms) {
          for (const failure of await writeItems(writing, changedTerms)) refused.set(failure.id, failure);
          await driver.refresh(target);
          return [...refused.values()];
        },
      };
    },
  };
}

interface Writing extends Pick<BuilderOptions, "driver" | "format"> {
  /** Name of the index. */
  readonly target: string;
  readonly vocabulary: Vocabulary;
}

async function writeAll(writing: Writing, items: LoadedTerms): Promise<Map<string, IndexFailure>> {
  const refused = new Map<string, IndexFailure>();
  await overlap(writeParts(writing, items), (failures) => {
    for (const failure of failures) refused.set(failure.id, failure);
  });
  return refused;
}

/** Reads the next terms while the previous ones are compiled and sent. */
async function* writeParts(writing: Writing, items: LoadedTerms) {
  for (let nextRead = items.after("", TERMS_AT_ONCE); ; ) {
    const terms = await nextRead;
    const last = terms.at(-1);
    if (last === undefined) return;
    nextRead = items.after(last.content.id, TERMS_AT_ONCE);
    // The error is not needed if the previous terms fail.
    nextRead.catch(() => undefined);
    yield () => writeItems(writing, terms);
  }
}

async function writeItems(
  { driver, format, target, vocabulary }: Writing,
  items: readonly PlacedTerm[],
): Promise<readonly IndexFailure[]> {
  const ids = new Map(items.map(({ content }) => [termDocumentKey(content.id), content.id]));
  const actions = items.map((source) => ({
    index: target,
    id: termDocumentKey(source.content.id),
    version: FIRST_VERSION,
    document: format.termDocument(source, vocabulary).json,
  }));
  const refused = await retryUnavailable(() => driver.write(actions));
  return refused.map(({ id, reason }) => ({ kind: "term", place: vocabulary.name, id: ids.get(id)!, reason }));
}

async function retryUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BinderyError) || error.code !== "SEARCH_UNAVAILABLE") throw error;
    }
    await sleep(pause);
  }
  return work();
}
