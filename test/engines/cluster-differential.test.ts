import { describe } from "vitest";
import { differentialSuite } from "../differential/differential-suite.js";
import { differentialWritesSuite } from "../differential/differential-writes-suite.js";
import { clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const HAS_CLUSTER = HAS_POSTGRES && HAS_OPENSEARCH;
const IS_LONG = process.env.TEST_LONG === "1";

/** One index that is fed at once, and one of several parts that is always behind. */
const AT_ONCE = () => clusterUnderTest({ shards: 1, stepMs: 0 });
const BEHIND = () => clusterUnderTest({ shards: 3, stepMs: 250 });
/** All is judged in memory. */
const WITHOUT = () => clusterUnderTest({ shards: 1 });

describe.skipIf(!HAS_CLUSTER)("a cluster whose index is behind", () => {
  differentialSuite(BEHIND, {});
  if (IS_LONG) differentialWritesSuite(BEHIND, {});
});

describe.skipIf(!HAS_CLUSTER)("a cluster whose index follows at once", () => {
  differentialWritesSuite(AT_ONCE, {});
  if (IS_LONG) differentialSuite(AT_ONCE, {});
});

describe.skipIf(!HAS_CLUSTER || !IS_LONG)("a cluster whose index has nothing", () => differentialSuite(WITHOUT, {}));
