import type { Catalog } from "../../../core/catalog/types.js";
import type { SourceRecord, SourceView } from "../../../ports/index-source.js";
import { makeRecordDocuments, type RecordDocument } from "../documents/make-record-document.js";
import type { PathNumbers } from "../documents/path-numbers.js";

/**
 * Makes the documents of records as a view has them, each when it is taken: they are large. Records of models that
 * nobody declares any more have none.
 */
export type RecordDocuments = (
  view: Pick<SourceView, "lineageOf">,
  records: readonly SourceRecord[],
) => Promise<Iterable<RecordDocument>>;

export function recordDocuments(catalog: Catalog, numbers: PathNumbers): RecordDocuments {
  const documentOf = makeRecordDocuments(catalog, numbers);
  /** Where the terms stand that records cite, as far as anything stands above them. */
  const placesOf = ({ terms }: SourceRecord) => {
    const inTrees = terms.filter(({ vocabulary }) => catalog.vocabularies.get(vocabulary)?.hierarchy === true);
    return inTrees.map(({ vocabulary, id, term }) => ({ vocabulary, id: term?.id ?? id }));
  };
  return async (view, records) => {
    const known = records.filter(({ record }) => catalog.models.has(record.model));
    const lineage = await view.lineageOf(known.flatMap(placesOf));
    return (function* () {
      for (const source of known) yield documentOf(source, lineage);
    })();
  };
}
