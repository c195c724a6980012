import { describe } from "vitest";
import { USES_PGLITE } from "../support/services/pglite.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { auditContract } from "./audit.js";
import { changeFeedContract } from "./change-feed.js";
import type { EngineUnderTest } from "./engine-under-test.js";
import { idempotencyContract } from "./idempotency.js";
import { oddTextsContract } from "./odd-texts.js";
import { pgliteUnderTest, postgresUnderTest } from "./postgres-under-test.js";
import { usersContract } from "./users.js";
import { webhooksContract } from "./webhooks.js";

const SUITES: readonly ((under: EngineUnderTest) => void)[] = [
  ...[usersContract, auditContract, idempotencyContract, changeFeedContract, webhooksContract, oddTextsContract],
];

describe.runIf(USES_PGLITE)("accounts and feeds, without services", () => {
  const under = pgliteUnderTest();
  for (const suite of SUITES) suite(under);
});
describe.skipIf(!HAS_POSTGRES)("accounts and feeds", () => {
  const under = postgresUnderTest();
  for (const suite of SUITES) suite(under);
});
