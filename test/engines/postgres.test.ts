import { describe } from "vitest";
import { clockJumpContract } from "../contract/clock-jumps.contract.js";
import { draftUsageContract } from "../contract/draft-usage.contract.js";
import { isolationContract, storeContract } from "../contract/store.contract.js";
import { storeAdminContract } from "../contract/store-admin.contract.js";
import { tombstonesContract } from "../contract/tombstones.contract.js";
import { transactionsContract } from "../contract/transactions.contract.js";
import { postgresUnderTest } from "../support/engines/postgres-under-test.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

describe.skipIf(!HAS_POSTGRES)("records of the store", () => {
  storeContract(postgresUnderTest());
  draftUsageContract(postgresUnderTest());
  clockJumpContract(postgresUnderTest());
  storeAdminContract(postgresUnderTest());
  tombstonesContract(postgresUnderTest());
  transactionsContract(postgresUnderTest());
  isolationContract(postgresUnderTest());
});
