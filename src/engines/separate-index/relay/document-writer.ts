import type { Catalog } from "../../../core/catalog/types.js";
import { addAll } from "../../../core/collections.js";
import type { Json } from "../../../core/json.js";
import type { IndexFailure, SourceRecord, SourceTerm } from "../../../ports/index-documents.js";
import type { ChangesSince, IndexState, SourceView } from "../../../ports/index-source.js";
import type { DocumentPlace, DocumentWrite, IndexDocument, IndexDriver, IndexFormat } from "../driver/index-driver.js";
import {
  readRecordDocumentKey,
  recordDocumentKey,
  recordsIndexOf,
  termDocumentKey,
  termsIndexOf,
} from "../driver/index-driver.js";
import { inParts, inReadableParts, TERMS_AT_ONCE } from "./batches.js";

/** A record or term by its name in the store. */
export type SourceEntry = Pick<IndexFailure, "kind" | "place" | "id">;

type ChangedItems = {
  readonly records: readonly { readonly id: string }[];
  readonly terms: readonly Pick<ChangesSince["terms"][number], "vocabulary" | "id">[];
};

/** Updates documents to the state of records and terms in a view. */
export interface DocumentWriter {
  /** Writes changed documents. @returns the refused ones. @throws BinderyError SEARCH_UNAVAILABLE */
  write(view: SourceView, changed: ChangedItems): Promise<readonly IndexFailure[]>;
  /** Reads the further data of the documents of existing records. */
  prepareRecords(view: SourceView, records: readonly SourceRecord[]): Promise<SendPrepared>;
  /** Reads the further data of the documents of existing terms. */
  prepareTerms(view: SourceView, vocabulary: string, terms: readonly SourceTerm[]): Promise<SendPrepared>;
}

/** Makes and sends documents. Their view may be closed. @returns and @throws as `write` */
type SendPrepared = () => Promise<readonly IndexFailure[]>;

const STATES = ["draft", "published"] as const;

interface WriterOptions {
  readonly driver: Pick<IndexDriver, "write">;
  readonly format: IndexFormat;
  readonly catalog: Catalog;
}

/**
 * Makes the writer of the documents of an index. The version of every document is the last change of its view, so the
 * newest view wins regardless of the order and the sender of documents.
 */
export function makeDocumentWriter(
  { driver, format, catalog }: WriterOptions,
  { name: index, made }: Pick<IndexState, "name" | "made">,
): DocumentWriter {
  const makeDocuments = recordDocuments(catalog, format, made);
  const recordsIndex = recordsIndexOf(index);

  async function prepareRecords(
    view: SourceView,
    records: readonly SourceRecord[],
    removedIds: readonly string[] = [],
  ): Promise<SendPrepared> {
    const documents = await makeDocuments(view, records);
    const place = { index: recordsIndex, version: view.head };
    const actions = function* (): Generator<DocumentWrite> {
      const existingIds = new Set<string>();
      for (const { id, json } of documents) {
        existingIds.add(id);
        yield { ...place, id, document: json };
      }
      for (const id of removedIds) if (!existingIds.has(id)) yield { ...place, id, removed: true };
    };
    return async () => {
      const refused = await driver.write(actions());
      return refused.map(
        ({ id, reason }): IndexFailure => ({ kind: "record", id: readRecordDocumentKey(id).id, reason }),
      );
    };
  }

  async function prepareTerms(
    view: SourceView,
    name: string,
    terms: readonly SourceTerm[],
    removedIds: readonly string[] = [],
  ): Promise<SendPrepared> {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) return async () => [];
    const place = { index: termsIndexOf(index, name, view.trees.generationOf(index, name)), version: view.head };
    const placed = await view.trees.placed(name, terms, index);
    const documentById = new Map(
      placed.map((term) => [term.content.id, () => format.termDocument(term, vocabulary).json]),
    );
    const byDocument = new Map([...removedIds, ...documentById.keys()].map((id) => [termDocumentKey(id), id]));
    return async () => {
      const refused = await driver.write(termActions(place, byDocument, (id) => documentById.get(id)?.()));
      return refused.map(({ id, reason }) => ({ kind: "term", place: name, id: byDocument.get(id)!, reason }));
    };
  }

  const prepare: DocumentPreparation = { prepareRecords, prepareTerms };
  return { ...prepare, write: (view, changed) => write(prepare, view, changed) };
}

/** Preparation of documents. `gone`: ids of documents that are removed unless they are among the given ones. */
interface DocumentPreparation {
  prepareRecords(
    view: SourceView,
    records: readonly SourceRecord[],
    removedIds?: readonly string[],
  ): Promise<SendPrepared>;
  prepareTerms(
    view: SourceView,
    vocabulary: string,
    terms: readonly SourceTerm[],
    removedIds?: readonly string[],
  ): Promise<SendPrepared>;
}

async function write(
  { prepareRecords, prepareTerms }: DocumentPreparation,
  view: SourceView,
  { records, terms }: ChangedItems,
): Promise<readonly IndexFailure[]> {
  const failures: IndexFailure[] = [];
  const recordIds = records.map(({ id }) => id);
  for await (const ids of inReadableParts(view, recordIds)) {
    const removedIds = ids.flatMap((id) => STATES.map((state) => recordDocumentKey({ id, state })));
    const send = await prepareRecords(view, await view.readRecords(ids), removedIds);
    addAll(failures, await send());
  }
  for (const name of new Set(terms.map(({ vocabulary }) => vocabulary))) {
    const ids = terms.filter(({ vocabulary }) => vocabulary === name).map(({ id }) => id);
    for (const batch of inParts(ids, TERMS_AT_ONCE)) {
      const send = await prepareTerms(view, name, await view.readTerms(name, batch), batch);
      addAll(failures, await send());
    }
  }
  return failures;
}

/** Yields the actions for terms. @param documentOf returns undefined for a missing term */
function* termActions(
  place: Pick<DocumentPlace, "index" | "version">,
  byDocument: ReadonlyMap<string, string>,
  documentOf: (id: string) => string | undefined,
): Generator<DocumentWrite> {
  for (const [key, id] of byDocument) {
    const document = documentOf(id);
    yield { ...place, id: key, ...(document === undefined ? { removed: true } : { document }) };
  }
}

/**
 * Makes the documents of records as of a view, each when it is read, because they are large. Records of undeclared
 * models have none.
 */
export type RecordDocuments = (
  view: Pick<SourceView, "trees">,
  records: readonly SourceRecord[],
) => Promise<Iterable<RecordDocument>>;

interface RecordDocument extends IndexDocument {
  /** See `recordDocumentKey`. */
  readonly id: string;
}

/** Makes the maker of the documents of an index with this definition. */
export function recordDocuments(catalog: Catalog, format: IndexFormat, made: Json): RecordDocuments {
  const documentOf = format.recordDocuments(made);
  /** Returns the cited terms that may have ancestors. */
  const citedTreeTerms = ({ terms }: SourceRecord) => {
    const inTrees = terms.filter(({ vocabulary }) => catalog.vocabularies.get(vocabulary)?.hierarchy === true);
    return inTrees.map(({ vocabulary, id, term }) => ({ vocabulary, id: term?.id ?? id }));
  };
  return async (view, records) => {
    const declared = records.filter(({ record }) => catalog.models.has(record.model));
    const lineage = await view.trees.lineageOf(declared.flatMap(citedTreeTerms));
    return (function* () {
      for (const source of declared) yield { id: recordDocumentKey(source.record), ...documentOf(source, lineage) };
    })();
  };
}
