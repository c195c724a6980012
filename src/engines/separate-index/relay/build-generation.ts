import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type {
  BuiltGeneration,
  GenerationBuilder,
  IndexFailure,
  LoadedItems,
  PlacedTerm,
} from "../../../ports/index-documents.js";
import type { IndexDriver, IndexFormat } from "../driver/index-driver.js";
import { recordsIndexOf, termKey, termsIndexOf } from "../driver/index-names.js";
import { overlap, TERMS_AT_ONCE } from "./batches.js";

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

async function writeAll(writing: Writing, items: LoadedItems): Promise<Map<string, IndexFailure>> {
  const refused = new Map<string, IndexFailure>();
  await overlap(writeParts(writing, items), (failures) => {
    for (const failure of failures) refused.set(failure.id, failure);
  });
  return refused;
}

/** Reads the next terms while the previous ones are compiled and sent. */
async function* writeParts(writing: Writing, items: LoadedItems) {
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
  const ids = new Map(items.map(({ content }) => [termKey(content.id), content.id]));
  const actions = items.map((source) => ({
    index: target,
    id: termKey(source.content.id),
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
