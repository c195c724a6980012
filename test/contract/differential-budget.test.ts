import { describe } from "vitest";
import { differentialSuite } from "./differential-suite.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";

/** Room for a few small sets: most are dropped as soon as the next one comes. */
const EFFORT = { cacheBytes: 4_096, fewRows: 0 };

describe("the embedded engine with hardly any memory", () => differentialSuite(sqliteUnderTest, EFFORT));
