import { describe } from "vitest";
import { auditContract } from "../contract/audit.contract.js";
import { changeFeedContract } from "../contract/change-feed.contract.js";
import { idempotencyContract } from "../contract/idempotency.contract.js";
import { oddTextsContract } from "../contract/odd-texts.contract.js";
import { usersContract } from "../contract/users.contract.js";
import { webhooksContract } from "../contract/webhooks.contract.js";
import { postgresUnderTest } from "../support/engines/postgres-under-test.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

describe.skipIf(!HAS_POSTGRES)("accounts and feeds", () => {
  const under = postgresUnderTest();
  usersContract(under);
  auditContract(under);
  idempotencyContract(under);
  changeFeedContract(under);
  webhooksContract(under);
  oddTextsContract(under);
});
