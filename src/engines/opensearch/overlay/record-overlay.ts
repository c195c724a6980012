import type { Catalog } from "../../../core/catalog/types.js";
import { storedBody } from "../../../core/record.js";
import { parseInstant } from "../../../core/time.js";
import type { ChangedRecord, SourceRecord, SourceView } from "../../../ports/index-source.js";
import type { RecordSearch } from "../../../ports/search-index.js";
import { HeldRecord, type ParentOf } from "../../../query/holds/held-record.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { recordLeaves, type TermOf } from "../../../query/index-model/record-leaves.js";
import { creationOrder, textWords } from "../documents/make-record-document.js";
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

/** Of nothing: the index is asked for all records. */
export const NOT_OVERLAID: RecordOverlay = {
  ids: [],
  judge: async (search, facets) => judgeRecords([], search, facets, () => undefined),
  words: () => [],
};

/** Makes overlays. What was made of a record is kept until it changes again. */
interface RecordOverlays {
  /** @returns undefined: their bodies are more than can be kept */
  overlayOf(view: OverlaidView, changed: readonly ChangedRecord[]): Promise<RecordOverlay | undefined>;
  /** Records that are kept. */
  size(): number;
}

type OverlaidView = Pick<SourceView, "head" | "bytesOf" | "recordsOf" | "lineageOf">;

interface Kept {
  readonly seq: number;
  /** Of their bodies. */
  readonly bytes: number;
  readonly records: readonly OverlaidRecord[];
}

/** @param bytesMax of the bodies of all records that are kept: what is made of them takes some times as much */
export function makeRecordOverlays({ models, vocabularies }: Catalog, bytesMax: number): RecordOverlays {
  let kept: ReadonlyMap<string, Kept> = new Map();
  let newest = 0;
  return {
    async overlayOf(view, changed) {
      // Another search may change what is kept while this one waits.
      const known = kept;
      const sameOf = ({ id, seq }: ChangedRecord): Kept | undefined => {
        const same = known.get(id);
        return same?.seq === seq ? same : undefined;
      };
      const missing = changed.filter((record) => sameOf(record) === undefined).map(({ id }) => id);
      const bytesOf = missing.length === 0 ? new Map<string, number>() : await view.bytesOf(missing);
      const bytes = changed.reduce((sum, each) => sum + (sameOf(each)?.bytes ?? bytesOf.get(each.id) ?? 0), 0);
      if (bytes > bytesMax) return undefined;
      const read = groupById(missing.length === 0 ? [] : await view.recordsOf(missing));
      const made = new Map<string, Kept>();
      for (const record of changed) {
        const { id, seq } = record;
        const records = (): readonly OverlaidRecord[] => (read.get(id) ?? []).flatMap(overlaid);
        made.set(id, sameOf(record) ?? { seq, bytes: bytesOf.get(id) ?? 0, records: records() });
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
    view: OverlaidView,
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
    const body = storedBody(source.record);
    const order = creationOrder(parseInstant(body.created), source.row);
    return [{ source, order, held: new HeldRecord(recordLeaves(body, model, termOfSource(source))) }];
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
