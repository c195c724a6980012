import { describe } from "vitest";
import { sqliteUnderTest } from "../support/engines/sqlite-under-test.js";
import { differentialSuite } from "./differential-suite.js";

/** There are few records, so that nearly nothing would be kept. */
const EFFORT = { fewRows: 4 };

describe("the embedded engine", () => differentialSuite(sqliteUnderTest, EFFORT));
