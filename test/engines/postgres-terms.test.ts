import { describe } from "vitest";
import { termFinderContract } from "../contract/term-finder.contract.js";
import { termTreeContract } from "../contract/term-hierarchy.contract.js";
import { termLoadsBesideContract, termLoadsContract } from "../contract/term-loads.contract.js";
import { termRacesContract } from "../contract/term-races.contract.js";
import { termSyncsContract } from "../contract/term-syncs.contract.js";
import { termsContract } from "../contract/terms.contract.js";
import { postgresUnderTest } from "../support/engines/postgres-under-test.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

describe.skipIf(!HAS_POSTGRES)("the store's half of the contract of terms", () => {
  termsContract(postgresUnderTest());
  termLoadsContract(postgresUnderTest());
  termSyncsContract(postgresUnderTest());
  termRacesContract(postgresUnderTest());
  termTreeContract(postgresUnderTest());
  termFinderContract(postgresUnderTest());
  termLoadsBesideContract(postgresUnderTest());
});
