import { describe } from "vitest";
import { USES_PGLITE } from "../support/services/pglite.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { clockJumpContract } from "./clock-jumps.js";
import { draftUsageContract } from "./draft-usage.js";
import { pgliteUnderTest, postgresUnderTest } from "./postgres-under-test.js";
import { isolationContract, storeContract } from "./store.js";
import { storeAdminContract } from "./store-admin.js";
import { tombstonesContract } from "./tombstones.js";
import { transactionsContract } from "./transactions.js";

const SUITES = [
  storeContract,
  draftUsageContract,
  clockJumpContract,
  storeAdminContract,
  tombstonesContract,
  transactionsContract,
];

describe.runIf(USES_PGLITE)("records of the store, without services", () => {
  for (const suite of SUITES) suite(pgliteUnderTest());
});
describe.skipIf(!HAS_POSTGRES)("records of the store", () => {
  // One connection shows nothing of what several do: PGlite has one.
  for (const suite of [...SUITES, isolationContract]) suite(postgresUnderTest());
});
