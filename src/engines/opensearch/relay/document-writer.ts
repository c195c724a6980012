import { addAll } from "../../../core/arrays.js";
import type { Catalog } from "../../../core/catalog/types.js";
import type { ChangesSince, IndexFailure, SourceRecord, SourceTerm, SourceView } from "../../../ports/index-source.js";
import { type BulkAction, sendBulk } from "../connection/bulk.js";
import type { SearchClient } from "../connection/search-client.js";
import { documentId } from "../documents/make-record-document.js";
import type { PathNumbers } from "../documents/path-numbers.js";
import { documentId as termDocumentId, termDocumentText } from "../documents/term-document.js";
import { inParts, inReadableParts, TERMS_AT_ONCE } from "./in-parts.js";
import { recordsIndexOf, termsIndexOf } from "./index-set.js";
import { recordDocuments } from "./record-documents.js";

/** A record, or a term, by what the store calls it. */
export type Item = Pick<IndexFailure, "kind" | "place" | "id">;

export type Changed = {
  readonly records: readonly { readonly id: string }[];
  readonly terms: readonly Pick<ChangesSince["terms"][number], "vocabulary" | "id">[];
};

/** Brings documents to what a view says of records and terms. */
export interface DocumentWriter {
  /** @returns what the index refuses. @throws BinderyError SEARCH_UNAVAILABLE */
  write(view: SourceView, changed: Changed): Promise<readonly IndexFailure[]>;
  /** Reads what else the documents of records are made of, which are all that there are. */
  prepareRecords(view: SourceView, records: readonly SourceRecord[]): Promise<SendPrepared>;
  /** The same of terms. */
  prepareTerms(view: SourceView, vocabulary: string, terms: readonly SourceTerm[]): Promise<SendPrepared>;
}

/** Makes and sends documents. The view that they are of may be closed. @returns and @throws as `write` */
type SendPrepared = () => Promise<readonly IndexFailure[]>;

const STATES = ["draft", "published"] as const;

interface WriterOptions {
  readonly client: SearchClient;
  readonly catalog: Catalog;
  /** Begins the names of the indexes. */
  readonly index: string;
  readonly numbers: PathNumbers;
}

/**
 * Every document carries as its version the last change of the view that it was made of: what a newer view says wins,
 * in whatever order documents arrive, and whoever sends them.
 */
export function makeDocumentWriter({ client, catalog, index, numbers }: WriterOptions): DocumentWriter {
  const documentsOf = recordDocuments(catalog, numbers);
  const recordsIndex = recordsIndexOf(index);

  async function prepareRecords(
    view: SourceView,
    records: readonly SourceRecord[],
    gone: readonly string[] = [],
  ): Promise<SendPrepared> {
    const documents = await documentsOf(view, records);
    const place = { index: recordsIndex, version: view.head };
    const actions = function* (): Generator<BulkAction> {
      const there = new Set<string>();
      for (const { id, json } of documents) {
        there.add(id);
        yield { ...place, id, document: json };
      }
      for (const id of gone) if (!there.has(id)) yield { ...place, id, removed: true };
    };
    return async () => {
      const refused = await sendBulk(client, actions());
      return refused.map(
        ({ id, reason }): IndexFailure => ({ kind: "record", id: id.slice(0, id.lastIndexOf("~")), reason }),
      );
    };
  }

  async function prepareTerms(
    view: SourceView,
    name: string,
    terms: readonly SourceTerm[],
    gone: readonly string[] = [],
  ): Promise<SendPrepared> {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) return async () => [];
    const place = { index: termsIndexOf(index, name, view.generationOf(index, name)), version: view.head };
    const placed = await view.placed(name, terms, index);
    const there = new Map(placed.map((term) => [term.content.id, () => termDocumentText(term, vocabulary).json]));
    const byDocument = new Map([...gone, ...there.keys()].map((id) => [termDocumentId(id), id]));
    return async () => {
      const refused = await sendBulk(
        client,
        termActions(place, byDocument, (id) => there.get(id)?.()),
      );
      return refused.map(({ id, reason }) => ({ kind: "term", place: name, id: byDocument.get(id)!, reason }));
    };
  }

  const prepare: Prepare = { prepareRecords, prepareTerms };
  return { ...prepare, write: (view, changed) => write(prepare, view, changed) };
}

/** `gone`: ids of documents that are removed unless they are among these. */
interface Prepare {
  prepareRecords(view: SourceView, records: readonly SourceRecord[], gone?: readonly string[]): Promise<SendPrepared>;
  prepareTerms(
    view: SourceView,
    vocabulary: string,
    terms: readonly SourceTerm[],
    gone?: readonly string[],
  ): Promise<SendPrepared>;
}

async function write(
  { prepareRecords, prepareTerms }: Prepare,
  view: SourceView,
  { records, terms }: Changed,
): Promise<readonly IndexFailure[]> {
  const failures: IndexFailure[] = [];
  const all = records.map(({ id }) => id);
  for await (const ids of inReadableParts(view, all)) {
    const gone = ids.flatMap((id) => STATES.map((state) => documentId({ id, state })));
    const send = await prepareRecords(view, await view.recordsOf(ids), gone);
    addAll(failures, await send());
  }
  for (const name of new Set(terms.map(({ vocabulary }) => vocabulary))) {
    const ids = terms.filter(({ vocabulary }) => vocabulary === name).map(({ id }) => id);
    for (const some of inParts(ids, TERMS_AT_ONCE)) {
      const send = await prepareTerms(view, name, await view.termsOf(name, some), some);
      addAll(failures, await send());
    }
  }
  return failures;
}

/** @param documentOf undefined of what is not there */
function* termActions(
  place: Pick<BulkAction, "index" | "version">,
  byDocument: ReadonlyMap<string, string>,
  documentOf: (id: string) => string | undefined,
): Generator<BulkAction> {
  for (const [documentId, id] of byDocument) {
    const document = documentOf(id);
    yield { ...place, id: documentId, ...(document === undefined ? { removed: true } : { document }) };
  }
}
