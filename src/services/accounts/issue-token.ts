import { digestOf, makeToken, TOKEN_BYTES } from "../../core/access-token.js";
import { SCOPES, type Scope } from "../../core/actor.js";
import type { AuditEntry } from "../../core/audit-entry.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { formatInstant } from "../../core/time.js";
import type { Random } from "../../ports/random.js";
import type { TokenRow, WriteTransaction } from "../../ports/store.js";

/** What a new token is to be. */
interface TokenPlan {
  /** Id of its user. */
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Microseconds since 1970 UTC; absent: it never expires. */
  readonly end?: number;
  /** Id of the token that makes it; absent: the operator does. */
  readonly parent?: string;
}

/** A new token; it is seen here and never again. */
interface IssuedToken {
  readonly token: string;
  readonly row: TokenRow;
}

/** Makes a token within a transaction. @throws TOKENS_TOO_MANY */
export async function issueToken(
  random: Random,
  tx: WriteTransaction,
  note: (entry: AuditEntry) => Promise<void>,
  { user, name, scopes, end, parent }: TokenPlan,
): Promise<IssuedToken> {
  const max = LIMITS.tokensPerUserMax;
  if ((await tx.users.countLiveTokens(user, tx.now)) >= max) throw fail("TOKENS_TOO_MANY", { max });
  const token = makeToken(random.bytes(TOKEN_BYTES));
  const row = await tx.users.addToken({
    user,
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    digest: digestOf(token),
    ...(end === undefined ? {} : { expires: formatInstant(end) }),
    ...(parent === undefined ? {} : { parent }),
  });
  await note({ action: "token.create", kind: "token", id: row.id, whom: user });
  return { token, row };
}
