import { describe } from "vitest";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { clockJumpContract } from "./clock-jumps.js";
import { draftUsageContract } from "./draft-usage.js";
import { postgresUnderTest } from "./postgres-under-test.js";
import { isolationContract, storeContract } from "./store.js";
import { storeAdminContract } from "./store-admin.js";
import { tombstonesContract } from "./tombstones.js";
import { transactionsContract } from "./transactions.js";

describe.skipIf(!HAS_POSTGRES)("records of the store", () => {
  storeContract(postgresUnderTest());
  draftUsageContract(postgresUnderTest());
  clockJumpContract(postgresUnderTest());
  storeAdminContract(postgresUnderTest());
  tombstonesContract(postgresUnderTest());
  transactionsContract(postgresUnderTest());
  isolationContract(postgresUnderTest());
});
