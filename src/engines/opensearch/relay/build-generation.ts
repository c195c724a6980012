import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type {
  BuiltGeneration,
  GenerationBuilder,
  IndexFailure,
  LoadedItems,
  PlacedTerm,
} from "../../../ports/index-source.js";
import { sendBulk } from "../connection/bulk.js";
import { countShards, dropIndexes, refreshIndexes } from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import { documentId, termDocumentText } from "../documents/term-document.js";
import { overlap, TERMS_AT_ONCE } from "./batches.js";
import { createTermsIndex, definitionOf, isUsable, recordsIndexOf, termsIndexOf } from "./index-set.js";

interface BuilderOptions {
  readonly client: SearchClient;
  readonly catalog: Catalog;
  readonly itemsMin: number;
  readonly largeAbove: number;
}

/** Pauses between retries: a load of millions must not fail because OpenSearch is overloaded for a moment. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000];

/** Below every later version of a document, so that any change replaces it. */
const FIRST_VERSION = 0;

/** Makes the index of a vocabulary for a load, next to the one that searches use until the load ends. */
export function makeGenerationBuilder({ client, catalog, itemsMin, largeAbove }: BuilderOptions): GenerationBuilder {
  return {
    itemsMin,
    takes: (definition) => isUsable(definitionOf({ made: definition }), catalog),
    largeAbove,
    async build(index, name, generation, items): Promise<BuiltGeneration> {
      const vocabulary = catalog.vocabularies.get(name)!;
      const target = termsIndexOf(index, name, generation);
      // Left by a failed load.
      await dropIndexes(client, target);
      const shards = await countShards(client, recordsIndexOf(index));
      await createTermsIndex({ client, shards: shards ?? 1 }, target, vocabulary);
      const writing: Writing = { client, target, vocabulary };
      const refused = await writeAll(writing, items);
      return {
        async finish(changedTerms) {
          for (const failure of await writeItems(writing, changedTerms)) refused.set(failure.id, failure);
          await refreshIndexes(client, [target]);
          return [...refused.values()];
        },
      };
    },
  };
}

interface Writing {
  readonly client: SearchClient;
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
  { client, target, vocabulary }: Writing,
  items: readonly PlacedTerm[],
): Promise<readonly IndexFailure[]> {
  const ids = new Map(items.map(({ content }) => [documentId(content.id), content.id]));
  const actions = items.map((source) => ({
    index: target,
    id: documentId(source.content.id),
    version: FIRST_VERSION,
    document: termDocumentText(source, vocabulary).json,
  }));
  const refused = await retryUnavailable(() => sendBulk(client, actions));
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
