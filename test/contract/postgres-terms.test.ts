import { describe } from "vitest";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { postgresUnderTest } from "./postgres-under-test.js";
import { termFinderContract } from "./term-finder.js";
import { termTreeContract } from "./term-hierarchy.js";
import { termLoadsBesideContract, termLoadsContract } from "./term-loads.js";
import { termRacesContract } from "./term-races.js";
import { termSyncsContract } from "./term-syncs.js";
import { termsContract } from "./terms.js";

describe.skipIf(!HAS_POSTGRES)("the store's half of the contract of terms", () => {
  termsContract(postgresUnderTest());
  termLoadsContract(postgresUnderTest());
  termSyncsContract(postgresUnderTest());
  termRacesContract(postgresUnderTest());
  termTreeContract(postgresUnderTest());
  termFinderContract(postgresUnderTest());
  termLoadsBesideContract(postgresUnderTest());
});
