import { describe } from "vitest";
import { differentialWritesSuite } from "./differential-writes-suite.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";

/** There are few records, so that nearly nothing would be kept and brought up to date. */
const EFFORT = { fewRows: 4 };

describe("the embedded engine", () => differentialWritesSuite(sqliteUnderTest, EFFORT));
