import { describe } from "vitest";
import { USES_PGLITE } from "../support/services/pglite.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import type { EngineUnderTest } from "./engine-under-test.js";
import { pgliteUnderTest, postgresUnderTest } from "./postgres-under-test.js";
import { termFinderContract } from "./term-finder.js";
import { termTreeContract } from "./term-hierarchy.js";
import { termLoadsBesideContract, termLoadsContract } from "./term-loads.js";
import { termRacesContract } from "./term-races.js";
import { termSyncsContract } from "./term-syncs.js";
import { termsContract } from "./terms.js";

function storesTerms(under: () => EngineUnderTest): void {
  termsContract(under());
  termLoadsContract(under());
  termSyncsContract(under());
  termRacesContract(under());
  termTreeContract(under());
  termFinderContract(under());
}

describe.runIf(USES_PGLITE)("the store's half of the contract of terms, without services", () => {
  storesTerms(pgliteUnderTest);
});
describe.skipIf(!HAS_POSTGRES)("the store's half of the contract of terms", () => {
  storesTerms(postgresUnderTest);
  termLoadsBesideContract(postgresUnderTest());
});
