import { describe } from "vitest";
import { elementSearchContract } from "../contract/element-search.contract.js";
import { facetKindsContract, termFacetContract } from "../contract/facet-search.contract.js";
import { recordIndexingContract } from "../contract/record-indexing.contract.js";
import { recordScopeContract } from "../contract/record-scopes.contract.js";
import { recordSearchContract } from "../contract/record-search.contract.js";
import { recordWordsContract } from "../contract/record-words.contract.js";
import { clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { putTerms } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

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
