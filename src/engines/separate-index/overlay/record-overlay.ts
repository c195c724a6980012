import { isNested } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog } from "../../../core/catalog/types.js";
import { storedBody } from "../../../core/record.js";
import { parseInstant } from "../../../core/time.js";
import type { SourceRecord } from "../../../ports/index-documents.js";
import type { ChangedRecord, SourceView } from "../../../ports/index-source.js";
import type { RecordSearch } from "../../../ports/search-index.js";
import { type ParentOf, RecordInMemory } from "../../../query/evaluate/record-in-memory.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import type { Clause } from "../../../query/index-model/clause.js";
import type { RecordLeaves } from "../../../query/index-model/leaves.js";
import { type FindCitedTerm, recordLeaves } from "../../../query/index-model/record-leaves.js";
import { type JudgedRecords, judgeRecords, type OverlaidRecord } from "./judge-records.js";
import { creationOrder } from "./record-places.js";

/** Records that the index may have otherwise than the store. They are excluded from queries to it. */
export interface RecordOverlay {
  /** Their ids, including those of deleted records. */
  readonly ids: readonly string[];
  /** Judges the existing ones for a search. @param facets of the search, as declared */
  judge(search: RecordSearch, facets: readonly CountedFacet[]): Promise<JudgedRecords>;
  /** Returns the words of each record, as the index has them. */
  words(): Iterable<ReadonlySet<string>>;
}

/** The empty overlay: the index is queried for all records. */
export const NOT_OVERLAID: RecordOverlay = {
  ids: [],
  judge: async (search, facets) => judgeRecords([], search, facets, () => undefined),
  words: () => [],
};

/** Makes overlays. Data of a record is kept until the record changes again. */
interface RecordOverlays {
  /** Makes an overlay. @returns undefined if the bodies are too large to be kept */
  makeOverlay(view: OverlaidView, changed: readonly ChangedRecord[]): Promise<RecordOverlay | undefined>;
  /** Returns the number of kept records. */
  size(): number;
}

type OverlaidView = Pick<SourceView, "head" | "bodyBytes" | "readRecords" | "trees">;

interface CachedRecords {
  readonly seq: number;
  /** Size of their bodies. */
  readonly bytes: number;
  readonly records: readonly OverlaidRecord[];
}

/**
 * Makes the maker of overlays. @param bytesMax of the bodies of all kept records; the data made from them takes several
 * times as much
 */
export function makeRecordOverlays({ models, vocabularies }: Catalog, bytesMax: number): RecordOverlays {
  let cache: ReadonlyMap<string, CachedRecords> = new Map();
  let newest = 0;
  return {
    async makeOverlay(view, changed) {
      // A concurrent search may replace the kept records.
      const cacheAtStart = cache;
      const getUnchanged = ({ id, seq }: ChangedRecord): CachedRecords | undefined => {
        const cached = cacheAtStart.get(id);
        return cached?.seq === seq ? cached : undefined;
      };
      const missing = changed.filter((record) => getUnchanged(record) === undefined).map(({ id }) => id);
      const bytesById = missing.length === 0 ? new Map<string, number>() : await view.bodyBytes(missing);
      const bytes = changed.reduce(
        (sum, entry) => sum + (getUnchanged(entry)?.bytes ?? bytesById.get(entry.id) ?? 0),
        0,
      );
      if (bytes > bytesMax) return undefined;
      const sourcesById = groupById(missing.length === 0 ? [] : await view.readRecords(missing));
      const entries = new Map<string, CachedRecords>();
      for (const record of changed) {
        const { id, seq } = record;
        const records = (): readonly OverlaidRecord[] => (sourcesById.get(id) ?? []).flatMap(overlaid);
        entries.set(id, getUnchanged(record) ?? { seq, bytes: bytesById.get(id) ?? 0, records: records() });
      }
      // Of concurrent searches, the one with the newest view determines what is kept.
      if (view.head >= newest) [cache, newest] = [entries, view.head];
      const records = [...entries.values()].flatMap((entry) => entry.records);
      return {
        ids: [...entries.keys()],
        judge: async (search, facets) =>
          judgeRecords(records, search, facets, await parentsOf(view, records, neededTrees(search, facets))),
        words: () => records.map(({ inMemory }) => textWords(inMemory)),
      };
    },
    size: () => cache.size,
  };

  /** Returns the ancestors of the terms of some vocabularies that records cite, as the view has them. */
  async function parentsOf(
    view: OverlaidView,
    records: readonly OverlaidRecord[],
    trees: ReadonlySet<string>,
  ): Promise<ParentOf> {
    const isAsked = ({ vocabulary }: { readonly vocabulary: string }): boolean =>
      trees.has(vocabulary) && vocabularies.get(vocabulary)?.hierarchy === true;
    const { getParentId } = await view.trees.lineageOf(
      records.flatMap(({ inMemory }) => inMemory.cites.filter(isAsked)),
    );
    return getParentId;
  }

  /** Returns the record to judge, nothing for an undeclared model. */
  function overlaid(source: SourceRecord): readonly OverlaidRecord[] {
    const model = models.get(source.record.model);
    if (model === undefined) return [];
    const body = storedBody(source.record);
    const order = creationOrder(parseInstant(body.created), source.row);
    return [{ source, order, inMemory: new RecordInMemory(recordLeaves(body, model, termOfSource(source))) }];
  }
}

/** Returns all words of unfielded text, each once. */
export function textWords({ leaves }: Pick<RecordLeaves, "leaves">): ReadonlySet<string> {
  return new Set(leaves.flatMap(({ words, isFieldOnly }) => (isFieldOnly ? [] : words)));
}

function groupById(records: readonly SourceRecord[]): ReadonlyMap<string, readonly SourceRecord[]> {
  const groups = new Map<string, SourceRecord[]>();
  for (const source of records) {
    const { id } = source.record;
    groups.set(id, [...(groups.get(id) ?? []), source]);
  }
  return groups;
}

/** Returns the terms that a record cites, as of the view that it was read from. */
function termOfSource({ terms }: SourceRecord): FindCitedTerm {
  const cacheAtStart = new Map(terms.map(({ vocabulary, id, term }) => [`${vocabulary}/${id}`, term]));
  return (vocabulary, id) => cacheAtStart.get(`${vocabulary}/${id}`);
}

/** Returns the vocabularies for which a search needs the ancestors of cited terms. */
export function neededTrees(
  { clause }: Pick<RecordSearch, "clause">,
  facets: readonly CountedFacet[],
): ReadonlySet<string> {
  const countedTrees = facets.flatMap(({ buckets }) => (isNested(buckets) ? [buckets.vocabulary] : []));
  return new Set([...countedTrees, ...treesInClause(clause)]);
}

function treesInClause(clause: Clause): readonly string[] {
  switch (clause.kind) {
    case "all":
    case "any":
      return clause.of.flatMap(treesInClause);
    case "not":
    case "element":
      return treesInClause(clause.of);
    case "cites":
      return clause.within ? clause.vocabularies : [];
    default:
      return [];
  }
}
