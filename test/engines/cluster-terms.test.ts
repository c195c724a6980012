import { describe } from "vitest";
import { nearTermsContract } from "../contract/near-terms.contract.js";
import { termHierarchyContract } from "../contract/term-hierarchy.contract.js";
import { termIdentifiersContract } from "../contract/term-identifiers.contract.js";
import { termIndexingContract } from "../contract/term-indexing.contract.js";
import { termLoadsBesideContract, termLoadsContract } from "../contract/term-loads.contract.js";
import { termRacesContract } from "../contract/term-races.contract.js";
import { termSearchContract } from "../contract/term-search.contract.js";
import { termSearchRandomContract } from "../contract/term-search-random.contract.js";
import { termSuggestContract } from "../contract/term-suggest.contract.js";
import { clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { searchAll } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/**
 * One that is fed at once, one whose index is always behind and in which many terms match every query, and one whose
 * index has nothing but large loads.
 */
const FED = clusterUnderTest({ shards: 1, stepMs: 0, overlayMax: 1_000, largeAbove: 3_000 });
const BEHIND = clusterUnderTest({ shards: 3, stepMs: 250, overlayMax: 1_000, largeAbove: 20, visitedMax: 2 });
const JUDGED = clusterUnderTest({ shards: 1 });

/** One for which most loads are large, and in which many terms match some queries. */
const LOADED = clusterUnderTest({ shards: 1, stepMs: 0, overlayMax: 1_000, largeAbove: 5, visitedMax: 8 });

const isLong = process.env.TEST_LONG === "1";

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("searches of vocabularies in a cluster", () => {
  for (const under of [FED, BEHIND, JUDGED]) termIndexingContract(under);
  for (const under of isLong ? [FED, BEHIND, JUDGED] : [FED, BEHIND]) termSearchRandomContract(under);
  for (const under of isLong ? [FED, BEHIND, JUDGED] : [FED]) {
    termSearchContract(under);
    nearTermsContract(under);
    termIdentifiersContract(under);
    termHierarchyContract(under);
    termRacesContract(under);
  }
  for (const under of isLong ? [FED, BEHIND, JUDGED, LOADED] : [LOADED]) termSuggestContract(under);
  termLoadsContract(LOADED, searchAll);
  termLoadsBesideContract(LOADED, searchAll);
});
