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
import { dropIndexes, refreshIndexes, shardsOf } from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import { documentId, termDocumentText } from "../documents/term-document.js";
import { TERMS_AT_ONCE } from "./in-parts.js";
import { createTermsIndex, isUsable, madeOf, recordsIndexOf, termsIndexOf } from "./index-set.js";
import { overlap } from "./overlap.js";

interface BuilderOptions {
  readonly client: SearchClient;
  readonly catalog: Catalog;
  readonly itemsMin: number;
  readonly largeAbove: number;
}

/** What passes is waited for: a load of millions does not fail because OpenSearch has to catch its breath. */
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000];

/** Below every version that a document gets later: whatever changes takes its place. */
const FIRST_VERSION = 0;

/** Makes the index of a vocabulary anew, beside the one that searches ask until the load ends. */
export function makeGenerationBuilder({ client, catalog, itemsMin, largeAbove }: BuilderOptions): GenerationBuilder {
  return {
    itemsMin,
    takes: (made) => isUsable(madeOf({ made }), catalog),
    largeAbove,
    async build(index, name, generation, items): Promise<BuiltGeneration> {
      const vocabulary = catalog.vocabularies.get(name)!;
      const target = termsIndexOf(index, name, generation);
      // Of a load that failed.
      await dropIndexes(client, target);
      const shards = await shardsOf(client, recordsIndexOf(index));
      await createTermsIndex({ client, shards: shards ?? 1 }, target, vocabulary);
      const writing: Writing = { client, target, vocabulary };
      const refused = await writeAll(writing, items);
      return {
        async finish(again) {
          for (const failure of await writeItems(writing, again)) refused.set(failure.id, failure);
          await refreshIndexes(client, [target]);
          return [...refused.values()];
        },
      };
    },
  };
}

interface Writing {
  readonly client: SearchClient;
  /** The name of the index. */
  readonly target: string;
  readonly vocabulary: Vocabulary;
}

async function writeAll(writing: Writing, items: LoadedItems): Promise<Map<string, IndexFailure>> {
  const refused = new Map<string, IndexFailure>();
  await overlap(parts(writing, items), (failures) => {
    for (const failure of failures) refused.set(failure.id, failure);
  });
  return refused;
}

/** Reads the next items while those before are made and sent. */
async function* parts(writing: Writing, items: LoadedItems) {
  for (let reading = items.after("", TERMS_AT_ONCE); ; ) {
    const read = await reading;
    const last = read.at(-1);
    if (last === undefined) return;
    reading = items.after(last.content.id, TERMS_AT_ONCE);
    // Where the ones before are not taken, nobody waits for these.
    reading.catch(() => undefined);
    yield () => writeItems(writing, read);
  }
}

async function writeItems(
  { client, target, vocabulary }: Writing,
  items: readonly PlacedTerm[],
): Promise<readonly IndexFailure[]> {
  const ids = new Map(items.map(({ content }) => [documentId(content.id), content.id]));
  const actions = items.map((source) => ({
    ...{ index: target, id: documentId(source.content.id), version: FIRST_VERSION },
    document: termDocumentText(source, vocabulary).json,
  }));
  const refused = await patiently(() => sendBulk(client, actions));
  return refused.map(({ id, reason }) => ({ kind: "term", place: vocabulary.name, id: ids.get(id)!, reason }));
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
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
