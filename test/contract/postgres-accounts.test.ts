import { describe } from "vitest";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { auditContract } from "./audit.js";
import { changeFeedContract } from "./change-feed.js";
import { idempotencyContract } from "./idempotency.js";
import { oddTextsContract } from "./odd-texts.js";
import { postgresUnderTest } from "./postgres-under-test.js";
import { usersContract } from "./users.js";
import { webhooksContract } from "./webhooks.js";

describe.skipIf(!HAS_POSTGRES)("accounts and feeds", () => {
  const under = postgresUnderTest();
  usersContract(under);
  auditContract(under);
  idempotencyContract(under);
  changeFeedContract(under);
  webhooksContract(under);
  oddTextsContract(under);
});
