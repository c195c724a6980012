import { describe } from "vitest";
import { makeCaches } from "../../src/core/caches.js";
import { sqliteUnderTest } from "../support/engines/sqlite-under-test.js";
import { differentialSuite } from "./differential-suite.js";

/** Room for a few small sets: most are dropped as soon as the next one comes. */
const EFFORT = { caches: makeCaches(() => 2_048), fewRows: 0 };

describe("the embedded engine with hardly any memory", () => differentialSuite(sqliteUnderTest, EFFORT));
