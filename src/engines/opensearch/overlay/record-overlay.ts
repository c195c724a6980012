import type { Catalog } from "../../../core/catalog/types.js";
import type { RecordBody } from "../../../core/record.js";
import type { ChangedRecord, SourceRecord, SourceView } from "../../../ports/index-source.js";
import type { RecordSearch } from "../../../ports/search-index.js";
import { HeldRecord, type ParentOf } from "../../../query/holds/held-record.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { recordLeaves, type TermOf } from "../../../query/index-model/record-leaves.js";
import { textWords } from "../documents/make-record-document.js";
import { type JudgedRecords, judgeRecords, type OverlaidRecord } from "./judge-records.js";
import { treesAsked } from "./trees-asked.js";

/** Records that the index may have otherwise than the store: it is asked for all others. */
export interface RecordOverlay {
  /** Their ids, also of those that are gone. */
  readonly ids: readonly string[];
  /** What those of them add to the answer of the index that are there. @param facets of the search, as declared */
  judge(search: RecordSearch, facets: readonly CountedFacet[]): Promise<JudgedRecords>;
  /** All words of each, as the index has them. */
  words(): Iterable<ReadonlySet<string>>;
}

/** Makes overlays. What was made of a record is kept until it changes again. */
export interface RecordOverlays {
  overlayOf(view: SourceView, changed: readonly ChangedRecord[]): Promise<RecordOverlay>;
  /** Records that are kept. */
  size(): number;
}

interface Kept {
  readonly seq: number;
  readonly records: readonly OverlaidRecord[];
}

export function makeRecordOverlays({ models, vocabularies }: Catalog): RecordOverlays {
  let kept: ReadonlyMap<string, Kept> = new Map();
  let newest = 0;
  return {
    async overlayOf(view, changed) {
      // Another search may change what is kept while this one waits.
      const known = kept;
      const missing = changed.filter(({ id, seq }) => known.get(id)?.seq !== seq).map(({ id }) => id);
      const read = groupById(missing.length === 0 ? [] : await view.recordsOf(missing));
      const made = new Map<string, Kept>();
      for (const { id, seq } of changed) {
        const same = known.get(id);
        made.set(id, same?.seq === seq ? same : { seq, records: (read.get(id) ?? []).flatMap(overlaid) });
      }
      // Of searches that overlap, the one of the newest state says what is kept.
      if (view.head >= newest) [kept, newest] = [made, view.head];
      const records = [...made.values()].flatMap((each) => each.records);
      return {
        ids: [...made.keys()],
        judge: async (search, facets) =>
          judgeRecords(records, search, facets, await parentsOf(view, records, treesAsked(search, facets))),
        words: () => records.map(({ held }) => textWords(held)),
      };
    },
    size: () => kept.size,
  };

  /** What stands above the terms of some vocabularies that records cite, as the view has it. */
  async function parentsOf(
    view: SourceView,
    records: readonly OverlaidRecord[],
    trees: ReadonlySet<string>,
  ): Promise<ParentOf> {
    const isAsked = ({ vocabulary }: { readonly vocabulary: string }): boolean =>
      trees.has(vocabulary) && vocabularies.get(vocabulary)?.hierarchy === true;
    const { parentOf } = await view.lineageOf(records.flatMap(({ held }) => held.cites.filter(isAsked)));
    return parentOf;
  }

  /** Of a model that is not declared any more nothing is found. */
  function overlaid(source: SourceRecord): readonly OverlaidRecord[] {
    const model = models.get(source.record.model);
    if (model === undefined) return [];
    const body = JSON.parse(source.record.json) as RecordBody;
    return [{ source, held: new HeldRecord(recordLeaves(body, model, termOfSource(source))) }];
  }
}

function groupById(records: readonly SourceRecord[]): ReadonlyMap<string, readonly SourceRecord[]> {
  const groups = new Map<string, SourceRecord[]>();
  for (const source of records) {
    const { id } = source.record;
    groups.set(id, [...(groups.get(id) ?? []), source]);
  }
  return groups;
}

/** The terms that a record cites, as the view that it was read from has them. */
function termOfSource({ terms }: SourceRecord): TermOf {
  const known = new Map(terms.map(({ vocabulary, id, term }) => [`${vocabulary}/${id}`, term]));
  return (vocabulary, id) => known.get(`${vocabulary}/${id}`);
}
