import type { Catalog } from "../../src/core/catalog/types.js";
import { RawJson, type RecordBody, type StoredRecord } from "../../src/core/record.js";
import type { CitedTerm, CurrentTerm } from "../../src/core/term.js";
import type { RecordWriter, Store } from "../../src/ports/store.js";
import type { AssumedTerm } from "../../src/query/index-model/leaves.js";
import { metadataLeaves } from "../../src/query/index-model/record-leaves.js";

/** What is needed to put records of some catalog. */
export interface RecordPutting {
  readonly store: Pick<Store, "prepareIndex">;
  readonly catalog: Catalog;
}

/** Puts a body, whatever it says, with an index that was made with these terms. */
export function putRecord(
  { store, catalog }: RecordPutting,
  records: Pick<RecordWriter, "put">,
  body: RecordBody,
  cited: readonly CitedTerm[] = [],
): Promise<StoredRecord> {
  const assumed = new Map<string, AssumedTerm>();
  const termOf = (vocabulary: string, id: string): CurrentTerm | undefined => {
    const found = cited.find((one) => one.vocabulary === vocabulary && one.id === id);
    const term = found && {
      ...{ id, successors: [], version: found.version, titles: [found.title], names: found.names },
    };
    assumed.set(`${vocabulary} ${id}`, { vocabulary, id, ...(term === undefined ? {} : { term }) });
    return term;
  };
  const leaves = metadataLeaves(body.metadata, catalog.models.get(body.model)!, termOf);
  const index = store.prepareIndex(leaves, [...assumed.values()]);
  return records.put({ ...body, metadata: new RawJson(JSON.stringify(body.metadata)) }, index);
}
