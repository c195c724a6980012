import { describe } from "vitest";
import { sqliteUnderTest } from "../support/engines/sqlite-under-test.js";
import { differentialSuite } from "./differential-suite.js";

/** Room for a few small sets: most are dropped as soon as the next one comes. */
const EFFORT = { cacheBytes: 4_096, fewRows: 0 };

describe("the embedded engine with hardly any memory", () => differentialSuite(sqliteUnderTest, EFFORT));
