import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropIndexes, HAS_OPENSEARCH, newPrefix, searchUrl } from "../../../../test/support/services/opensearch.js";
import { tinyCatalog, tinyRecord } from "../../../../test/support/tiny-catalog.js";
import { withFacets } from "../../../../test/support/with-facets.js";
import type { SourceRecord } from "../../../ports/index-documents.js";
import { makeFacetLookup } from "../../../query/facets/declared-facets.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { recordDocumentKey } from "../../separate-index/driver/index-driver.js";
import { createIndex, refreshIndexes, sendBulk } from "../connection/indexes.js";
import { multiSearch } from "../connection/multi-search.js";
import { openSearchClient, type SearchClient } from "../connection/search-client.js";
import { numberPaths } from "../documents/index-fields.js";
import { makeRecordDocuments, recordIndex } from "../documents/record-document.js";
import { makeCompileContext } from "../query/compile-query.js";
import type { RecordQuestion } from "../query/record-request.js";
import { askRecords } from "./make-record-search.js";

const catalog = withFacets(tinyCatalog(), [
  { kind: "tree", vocabulary: "species", name: "taxon", label: "Taxon", path: "metadata.organism.id" },
]);
const numbers = numberPaths(catalog);
const context = makeCompileContext(catalog, numbers);

/** `sp:0` is above all others. */
const lineage = { getParentId: (_: string, id: string) => (id === "sp:0" ? undefined : "sp:0") };

function source(n: number): SourceRecord {
  const json = JSON.stringify(tinyRecord(`r${n}`, { organism: { id: `sp:${n}` } }));
  const record = { id: `r${n}`, parent: "p", model: "tiny", state: "published", isPublished: true, owner: "1", json };
  const place = { row: n + 1, seq: n + 1, isLatest: true, hasOtherState: false, sharedWith: [], terms: [] };
  return { record: { ...record, revision: 1 } as SourceRecord["record"], ...place };
}

const RECORDS = 40;

describe.runIf(HAS_OPENSEARCH)("what the index of records is asked", () => {
  let client: SearchClient;
  const index = `${newPrefix()}-records`;
  beforeAll(async () => {
    client = openSearchClient({ urls: [await searchUrl()] });
    await createIndex(client, index, recordIndex({ catalog, numbers, shards: 2, replicas: 0 }));
    const make = makeRecordDocuments(catalog, numbers);
    const documents = Array.from({ length: RECORDS }, (_, n) => ({
      id: recordDocumentKey(source(n).record),
      document: make(source(n), lineage).json,
    }));
    await sendBulk(
      client,
      documents.map((document) => ({ index, version: 1, ...document })),
    );
    await refreshIndexes(client, [index]);
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await dropIndexes(await searchUrl(), index.slice(0, index.lastIndexOf("-")));
  });

  const question = (clause: Clause): RecordQuestion => {
    const scope = { kind: "public", models: ["tiny"] } as const;
    const requests = [{ name: "taxon", size: 5, selected: [] }];
    const search = { clause, scope, facets: requests, sort: "newest", page: { offset: 0, limit: 1 } } as const;
    const facets = makeFacetLookup(catalog.models)(["tiny"], requests);
    return { search, facets, leftOut: [], from: 0, limit: 1, wanted: new Map() };
  };
  const ask = (clause: Clause, bucketsMax: number) =>
    askRecords((searches) => multiSearch(client, { index }, searches, 60_000), question(clause), {
      ...context,
      bucketsMax,
    });

  it("gives all buckets of a tree that has more of them than one answer", async () => {
    for (const bucketsMax of [RECORDS, RECORDS - 1, 7, 1]) {
      const { total, facets } = await ask({ kind: "everything" }, bucketsMax);
      expect(total).toBe(RECORDS);
      const { counts, parents, sum } = facets[0]!;
      expect([...counts.values()].sort((a, b) => a - b)).toEqual([...Array(RECORDS - 1).fill(1), RECORDS]);
      expect([counts.get("sp:0"), parents.get("sp:1"), parents.get("sp:0")]).toEqual([RECORDS, "sp:0", undefined]);
      expect(sum).toBe(2 * RECORDS - 1);
    }
  });

  it("says of a query that OpenSearch finds too large that it is too costly", async () => {
    const patterns = Array.from({ length: 2_000 }, (_, n): Clause => {
      return { kind: "wildcard", place: { in: "text" }, pattern: `a${n}*b` };
    });
    await expect(ask({ kind: "any", of: patterns }, 1)).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
  });
});
