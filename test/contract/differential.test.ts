import { describe } from "vitest";
import { differentialSuite } from "./differential-suite.js";
import { sqliteUnderTest } from "./sqlite-under-test.js";

describe("the embedded engine", () => differentialSuite(sqliteUnderTest));
