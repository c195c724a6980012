import { describe } from "vitest";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { clusterUnderTest } from "./cluster-under-test.js";
import { elementSearchContract } from "./element-search.js";
import { facetKindsContract, termFacetContract } from "./facet-search.js";
import { recordIndexingContract } from "./record-indexing.js";
import { recordScopeContract } from "./record-scopes.js";
import { recordSearchContract } from "./record-search.js";
import { recordWordsContract } from "./record-words.js";
import { putTerms } from "./term-fixtures.js";

/** One that is fed at once, and one whose index is always behind. With TEST_LONG=1, one whose index has nothing too. */
const CLUSTERS = [
  clusterUnderTest({ shards: 1, stepMs: 0 }),
  clusterUnderTest({ shards: 3, stepMs: 250 }),
  ...(process.env.TEST_LONG === "1" ? [clusterUnderTest({ shards: 1 })] : []),
];

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("searches of records in a cluster", () => {
  for (const under of CLUSTERS) {
    recordScopeContract(under);
    recordSearchContract(under);
    elementSearchContract(under);
    recordWordsContract(under);
    termFacetContract(under);
    facetKindsContract(under, putTerms);
    recordIndexingContract(under);
  }
});
