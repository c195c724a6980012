/** Compares the documents of an index with what the store says of records and terms, which they were made of. */
import type { Vocabulary } from "../../../core/catalog/types.js";
import type { JsonObject } from "../../../core/json.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { AskIndex } from "../connection/multi-search.js";
import { documentId } from "../documents/make-record-document.js";
import { termDocumentText } from "../documents/term-document.js";
import { RECORDS_AT_ONCE, TERMS_AT_ONCE } from "../relay/in-parts.js";
import type { RecordDocuments } from "../relay/record-documents.js";

/** A document that differs from what is made of the record, or the term, with this id. */
interface IndexDifference {
  readonly id: string;
  /** `zv0gv-btp27 (published)`, `organisms/taxid:562` */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

/** A part of the store that was compared: how much of it, and what differs. */
interface ComparedPart {
  readonly count: number;
  readonly differences: readonly IndexDifference[];
}

/** An index as it is at one moment, and the view of the store that belongs to it. */
export interface ComparedIndex {
  readonly view: SourceView;
  readonly ask: AskIndex;
  /** Ids that the index may have otherwise: they have changed since, or it refuses them. */
  readonly changed: ReadonlySet<string>;
}

/** Records in the order of their rows. What the index has between two rows and the store has not is found as well. */
export async function* compareRecords(
  { view, ask, changed }: ComparedIndex,
  documentsOf: RecordDocuments,
): AsyncGenerator<ComparedPart> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const records = await view.recordsAfter(after, RECORDS_AT_ONCE);
    const last: number | undefined = records.at(-1)?.row;
    const expected = new Map<string, string>();
    for (const { id, sum } of await documentsOf(view, records)) expected.set(id, sum);
    const read = await readIn(ask, { row: between(after, last) }, ["id", "state", "sum"], 2);
    const found = new Map(read.map(([id = "", state = "", sum = ""]) => [documentId({ id, state }), sum] as const));
    const differences = differing(expected, found).flatMap((difference) => {
      const [id, state] = difference.id.split("~") as [string, string];
      return changed.has(id) ? [] : [{ ...difference, id, where: `${id} (${state})` }];
    });
    yield { count: records.length, differences };
    after = last;
  }
}

/** Items of a vocabulary in the order of their ids. */
export async function* compareTerms(
  { view, ask, changed }: ComparedIndex,
  vocabulary: Vocabulary,
): AsyncGenerator<ComparedPart> {
  const { name } = vocabulary;
  const moved = await view.belowMoved(name);
  // The region of what is below a moved term may be an old one: searches do not ask for it.
  const said = (id: string, sum: string, region = ""): [id: string, said: string] => [
    id,
    moved.has(id) ? sum : `${sum} ${region}`,
  ];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const terms = await view.termsAfter(name, after, TERMS_AT_ONCE);
    const last: string | undefined = terms.length < TERMS_AT_ONCE ? undefined : terms.at(-1)?.content.id;
    const placed = await view.placed(name, terms);
    const expected = new Map(
      placed.map((term) => said(term.content.id, termDocumentText(term, vocabulary).sum, term.region)),
    );
    const read = await readIn(ask, { id: between(after, last) }, ["id", "sum", "region"], 1);
    const found = new Map(read.map(([id = "", sum = "", region]) => said(id, sum, region)));
    const differences = differing(expected, found).filter(({ id }) => !changed.has(id));
    yield {
      count: terms.length,
      differences: differences.map((difference) => ({ ...difference, where: `${name}/${difference.id}` })),
    };
    after = last;
  }
}

const between = <T>(after: T, last: T | undefined): object => ({
  gt: after,
  ...(last === undefined ? {} : { lte: last }),
});

/** Documents that are read at once; a part may have more of them than the store has rows there. */
const DOCUMENTS_AT_ONCE = 2_000;

/** Some fields of all documents in a range; the first `keys` of them say what a document is of. */
async function readIn(
  ask: AskIndex,
  range: Readonly<Record<string, object>>,
  names: readonly string[],
  keys: number,
): Promise<readonly (readonly (string | undefined)[])[]> {
  const found: (readonly (string | undefined)[])[] = [];
  const sort = names.slice(0, keys).map((key) => ({ [key]: "asc" }));
  for (let after: readonly unknown[] | undefined = []; after !== undefined; ) {
    const search = {
      ...{ _source: false, track_total_hits: false, size: DOCUMENTS_AT_ONCE, query: { range } },
      ...{ sort, docvalue_fields: names, ...(after.length === 0 ? {} : { search_after: after }) },
    };
    const [answer] = await ask([search as unknown as JsonObject]);
    const hits = answer?.hits.hits ?? [];
    for (const { fields = {} } of hits) found.push(names.map((name) => fields[name]?.[0]));
    after = hits.length < DOCUMENTS_AT_ONCE ? undefined : hits.at(-1)?.sort;
  }
  return found;
}

function differing(
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): readonly Omit<IndexDifference, "where">[] {
  const differences: Omit<IndexDifference, "where">[] = [];
  for (const [id, sum] of expected) {
    const there = found.get(id);
    if (there === sum) continue;
    differences.push({
      id,
      expected: "the document of what is stored",
      found: there === undefined ? "none" : "another",
    });
  }
  for (const id of found.keys()) if (!expected.has(id)) differences.push({ id, expected: "none", found: "a document" });
  return differences;
}
