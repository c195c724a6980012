import { describe } from "vitest";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { clusterUnderTest } from "./cluster-under-test.js";
import { nearTermsContract } from "./near-terms.js";
import { searchAll } from "./term-fixtures.js";
import { termHierarchyContract } from "./term-hierarchy.js";
import { termIdentifiersContract } from "./term-identifiers.js";
import { termIndexingContract } from "./term-indexing.js";
import { termLoadsBesideContract, termLoadsContract } from "./term-loads.js";
import { termRacesContract } from "./term-races.js";
import { termSearchContract } from "./term-search.js";
import { termSearchRandomContract } from "./term-search-random.js";
import { termSuggestContract } from "./term-suggest.js";

/** One that is fed at once, one whose index is always behind, and one whose index has nothing but large loads. */
const FED = clusterUnderTest({ shards: 1, stepMs: 0, overlayMax: 1_000, largeAbove: 3_000 });
const BEHIND = clusterUnderTest({ shards: 3, stepMs: 250, overlayMax: 1_000, largeAbove: 20 });
const JUDGED = clusterUnderTest({ shards: 1 });

/** One for which most loads are large. */
const LOADED = clusterUnderTest({ shards: 1, stepMs: 0, overlayMax: 1_000, largeAbove: 5 });

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
    termSuggestContract(under);
  }
  termLoadsContract(LOADED, searchAll);
  termLoadsBesideContract(LOADED, searchAll);
});
