import { describe } from "vitest";
import { differentialSuite } from "./differential-suite.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";

/** Room for a few small sets: most are dropped as soon as the next one comes. */
const CACHE_BYTES = 4_096;

describe("the embedded engine with hardly any memory", () => differentialSuite(sqliteUnderTest, CACHE_BYTES));
