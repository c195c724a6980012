import { describe } from "vitest";
import { sqliteUnderTest } from "../support/engines/sqlite-under-test.js";
import { differentialWritesSuite } from "./differential-writes-suite.js";

/** There are few records, so that nearly nothing would be kept and brought up to date. */
const EFFORT = { fewRows: 4 };

describe("the embedded engine", () => differentialWritesSuite(sqliteUnderTest, EFFORT));
