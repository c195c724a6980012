import { describe } from "vitest";
import { differentialSuite } from "./differential-suite.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";

/** There are few records, so that nearly nothing would be kept. */
const EFFORT = { fewRows: 4 };

describe("the embedded engine", () => differentialSuite(sqliteUnderTest, EFFORT));
