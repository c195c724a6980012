import { createHash } from "node:crypto";
import { type Actor, ANONYMOUS, OPERATOR, SCOPES, type Scope } from "../../core/actor.js";
import type { AuditEntry } from "../../core/audit-entry.js";
import { crc32 } from "../../core/crc32.js";
import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { hasScope, requireUser, type User } from "../../core/may.js";
import { DAY_MICROS, formatInstant, parseInstant, readWhen, type When } from "../../core/time.js";
import type { Random } from "../../ports/environment.js";
import type { TokenRow, WriteTransaction } from "../../ports/store.js";
import type { Conditions } from "../api/records.js";
import { operatorUseCase, useCase } from "../context/use-case.js";
import { userByName } from "../context/user-names.js";
import { badParameter, makeIssue } from "../input/issues.js";
import { isName, NAME_RULE, readMembers } from "../input/read-json.js";
import { findUser } from "./users.js";

/** The properties of a token to be issued. */
interface TokenPlan {
  /** Id of its user. */
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Microseconds since 1970 UTC; undefined: it never expires. */
  readonly end: number | undefined;
  /** Id of the token that creates it; absent: the operator does. */
  readonly parent?: string;
}

/** A new token. Its text is returned once and never stored. */
interface IssuedToken {
  readonly token: string;
  readonly row: TokenRow;
}

/** One page of tokens; `total` counts all of them. */
export interface TokenPage {
  readonly tokens: readonly TokenRow[];
  readonly total: number;
}

/** Creates a token within a transaction. @throws TOKENS_TOO_MANY */
async function issueToken(
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
    digest: tokenDigest(token),
    ...(end === undefined ? {} : { expires: formatInstant(end) }),
    ...(parent === undefined ? {} : { parent }),
  });
  await note({ action: "token.create", kind: "token", id: row.id, whom: user });
  return { token, row };
}

const YEAR_MAX = 9999;

/**
 * Reads when a token expires: `90d`, `12h`, an ISO date (to the end of that day, UTC) or an ISO instant.
 *
 * @returns microseconds since 1970 UTC, or the problem with the text
 */
function readExpiry(text: string, now: number): number | Issue {
  const when = readWhen(text);
  const end = when && expiryMicros(when, now);
  if (end === undefined || end > Date.UTC(YEAR_MAX, 11, 31) * 1000) {
    return badExpiry("expires must be a duration like 90d or 12h, or a date like 2027-01-31.", text);
  }
  if (end <= now) return badExpiry("expires must not be in the past.", text);
  return end;
}

function expiryMicros({ kind, micros }: When, now: number): number {
  if (kind === "span") return now + micros;
  return kind === "day" ? micros + DAY_MICROS : micros;
}

function badExpiry(message: string, value: string): Issue {
  return makeIssue(["expires"], "PARAMETER_INVALID", [message], { value });
}

/**
 * Returns the actor that a token identifies. An invalid token is an error even if the request needs no token.
 * @param text the text after `Bearer `; undefined: anonymous. @throws TOKEN_*
 */
export const authenticate = useCase(
  { thread: "http" },
  ({ store, clock }) =>
    async (text: string | undefined): Promise<Actor> => {
      if (text === undefined) return ANONYMOUS;
      const found = isToken(text) ? await store.users.findToken(tokenDigest(text)) : undefined;
      if (found === undefined) throw fail("TOKEN_INVALID", {});
      const { token, user } = found;
      const actor = {
        kind: "user",
        user: user.id,
        name: user.name,
        role: user.role,
        token: token.id,
        scopes: token.scopes,
      } as const;
      if (token.revoked !== undefined) throw fail("TOKEN_REVOKED", { actor });
      if (token.expires !== undefined && parseInstant(token.expires) <= clock.nowMicros()) {
        throw fail("TOKEN_EXPIRED", { expired: token.expires, actor });
      }
      if (user.disabled !== undefined) throw fail("USER_DISABLED", { actor });
      return actor;
    },
);

/**
 * Creates a token for a user. Only its answer contains the text of the token.
 * @param expires e.g. `90d`, or an ISO date
 */
export const createToken = operatorUseCase(
  ({ runWrite, clock, random }) =>
    async ({
      user: userName,
      name = userName,
      scopes,
      expires,
    }: {
      readonly user: string;
      readonly name?: string;
      readonly scopes: readonly Scope[];
      readonly expires?: string;
    }): Promise<{ readonly token: string; readonly row: TokenRow }> => {
      if (scopes.length === 0)
        throw badParameter("scope", `A token needs at least one scope: ${SCOPES.join(", ")}.`, [], SCOPES);
      const unknown = scopes.find((scope) => !SCOPES.includes(scope));
      if (unknown !== undefined) {
        throw badParameter("scope", `A scope must be one of ${SCOPES.join(", ")}.`, unknown, SCOPES);
      }
      if (!isName(name)) throw badParameter("name", NAME_RULE, name);
      const end = expires === undefined ? undefined : readExpiry(expires, clock.nowMicros());
      if (typeof end === "object") throw fail("PARAMETER_INVALID", { issues: [end] });
      return runWrite({ actor: OPERATOR }, async (tx, note) => {
        const user = await userByName(tx.users, userName);
        if (user === undefined)
          throw badParameter("user", `There is no user ${userName}; add the user first.`, userName);
        if (user.disabled !== undefined) {
          throw badParameter("user", `${userName} is disabled; \`user enable ${userName}\` first.`, userName);
        }
        return issueToken(random, tx, note, { user: user.id, name, scopes, end });
      });
    },
);

/** A new token; its text is absent for a repeated Idempotency-Key. */
interface CreatedToken {
  readonly token?: string;
  readonly row: TokenRow;
}

/**
 * Creates another token for the caller. It has no more scopes and expires no later than the token of the request, so a
 * leaked token cannot give more rights than it has. It also ends when the token of the request is revoked.
 * @returns the text of the token only once: not for a repeated Idempotency-Key
 */
export const createOwnToken = useCase(
  { thread: "writer" },
  ({ runWrite, clock, random }) =>
    async (actor: Actor, body: string, { once }: Conditions = {}): Promise<CreatedToken> => {
      const user = requireUser(actor);
      return runWrite(
        { actor, once },
        async (tx, note): Promise<CreatedToken> => {
          const { name, scopes, end } = readTokenBody(body, user, clock.nowMicros());
          const parent = await tx.users.getToken(user.token);
          // The token may have ended since the request was authenticated: then it must not create another one.
          if (parent === undefined) throw fail("TOKEN_INVALID", {});
          if (parent.revoked !== undefined) throw fail("TOKEN_REVOKED", { actor });
          const latestEnd = parent.expires === undefined ? undefined : parseInstant(parent.expires);
          checkExcess(user, scopes, { end, latestEnd, expires: parent.expires });
          const plan = { user: user.user, name, scopes, parent: user.token, end: end ?? latestEnd };
          return issueToken(random, tx, note, plan);
        },
        ({ row }) => ({ row }),
      );
    },
);

interface TokenBody {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly end: number | undefined;
}

/** @throws BODY_INVALID naming all problems */
function readTokenBody(body: string, user: User, now: number): TokenBody {
  const { members, issues } = readMembers(body, ["name", "scopes", "expires"], []);
  const name = readName(members, user.name);
  const scopes = readScopes(own(members, "scopes"));
  const end = readEnd(own(members, "expires"), now);
  const allIssues = [...issues, ...[name, scopes, end].filter(isIssue)];
  if (allIssues.length > 0 || isIssue(name) || isIssue(scopes) || isIssue(end)) {
    throw fail("BODY_INVALID", { issues: allIssues });
  }
  return { name, scopes, end };
}

function isIssue(value: unknown): value is Issue {
  return typeof value === "object" && value !== null && "pointer" in value;
}

function readName(members: JsonObject, defaultName: string): string | Issue {
  const name = own(members, "name");
  if (name === undefined) return defaultName;
  if (typeof name === "string" && isName(name)) return name;
  return makeIssue(["name"], typeof name === "string" ? "INVALID" : "WRONG_TYPE", [NAME_RULE], { value: name });
}

function readScopes(sent: Json | undefined): readonly Scope[] | Issue {
  const message = `scopes must be a list of ${SCOPES.join(", ")}.`;
  if (sent === undefined) return makeIssue(["scopes"], "REQUIRED", [message], { allowed: SCOPES });
  if (!Array.isArray(sent)) return makeIssue(["scopes"], "WRONG_TYPE", [message], { value: sent, allowed: SCOPES });
  if (sent.length === 0) return makeIssue(["scopes"], "TOO_FEW_ITEMS", [message], { allowed: SCOPES });
  const wrong = sent.findIndex((scope) => !SCOPES.includes(scope as Scope));
  if (wrong < 0) return sent as readonly Scope[];
  return makeIssue(["scopes", wrong], "NOT_ALLOWED", [message], { value: sent[wrong]!, allowed: SCOPES });
}

function readEnd(sent: Json | undefined, now: number): number | undefined | Issue {
  if (sent === undefined) return undefined;
  if (typeof sent === "string") return readExpiry(sent, now);
  const message = 'expires must be text: a duration like "90d" or a date like "2027-01-31".';
  return makeIssue(["expires"], "WRONG_TYPE", [message], { value: sent });
}

interface Ends {
  readonly end: number | undefined;
  /** When the token of the request expires, as a number and as a text; undefined: never. */
  readonly latestEnd: number | undefined;
  readonly expires: string | undefined;
}

/** @throws TOKEN_EXCEEDED naming what exceeds the token of the request, and what is allowed */
function checkExcess(user: User, scopes: readonly Scope[], { end, latestEnd, expires }: Ends): void {
  const issues: Issue[] = [];
  const excess = scopes.filter((scope) => !hasScope(user, scope));
  if (excess.length > 0) {
    const allowed = SCOPES.filter((scope) => hasScope(user, scope));
    const message = `This token does not have ${excess.join(", ")}; it can give ${allowed.join(", ")}.`;
    issues.push(makeIssue(["scopes"], "NOT_ALLOWED", [message], { value: excess, allowed }));
  }
  if (end !== undefined && latestEnd !== undefined && end > latestEnd) {
    const message = `This token expires at ${expires}; send an earlier time, or leave expires out.`;
    issues.push(makeIssue(["expires"], "NOT_ALLOWED", [message]));
  }
  if (issues.length > 0) throw fail("TOKEN_EXCEEDED", { issues });
}

/** Lists the tokens of one user (by name) or of all users, newest first, with the names of the users. */
export const listTokens = operatorUseCase(
  ({ store }) =>
    async (userName?: string): Promise<readonly (TokenRow & { readonly userName: string })[]> => {
      const user = userName === undefined ? undefined : await userByName(store.users, userName);
      if (userName !== undefined && user === undefined) {
        throw badParameter("user", `There is no user ${userName}.`, userName);
      }
      const rows = await store.users.listTokens(user?.id);
      const names = new Map<string, string>();
      for (const id of new Set(rows.map((row) => row.user))) names.set(id, (await store.users.getUser(id))?.name ?? id);
      return rows.map((row) => ({ ...row, userName: names.get(row.user)! }));
    },
);

/** Lists one page of the caller's tokens, newest first, including revoked and expired ones. `page` is from 1. */
export const listOwnTokens = useCase(
  { thread: "http" },
  ({ store }) =>
    async (actor: Actor, { page, size }: { readonly page: number; readonly size: number }): Promise<TokenPage> =>
      store.users.pageTokens(requireUser(actor).user, { offset: (page - 1) * size, limit: size }),
);

/**
 * Revokes a token and all tokens created with it, within a transaction. Each gets a line in the audit log.
 * @returns the number of tokens that were not revoked before
 */
async function revokeWithDescendants(
  tx: WriteTransaction,
  note: (entry: AuditEntry) => Promise<void>,
  { id, user }: Pick<TokenRow, "id" | "user">,
): Promise<number> {
  const revokedIds = (await tx.users.revokeToken(id)) ?? [];
  for (const revokedId of revokedIds) {
    await note({ action: "token.revoke", kind: "token", id: revokedId, whom: user });
  }
  return revokedIds.length;
}

/**
 * Revokes a token and the tokens created with it. Revoking them again changes nothing.
 * @returns the number of newly revoked tokens
 */
export const revokeToken = operatorUseCase(({ runWrite }) => async (id: string): Promise<number> => {
  return runWrite({ actor: OPERATOR }, async (tx, note) => {
    const token = await tx.users.getToken(id);
    if (token === undefined) {
      throw badParameter("id", `There is no token with the id ${id}; \`token list\` shows the ids.`, id);
    }
    return revokeWithDescendants(tx, note, token);
  });
});

/**
 * Revokes a token of the caller, possibly that of the request, and the tokens created with it. Revoking them again
 * changes nothing. @throws TOKEN_NOT_FOUND, also for the token of another user
 */
export const revokeOwnToken = useCase(
  { thread: "writer" },
  ({ runWrite }) =>
    async (actor: Actor, id: string): Promise<void> => {
      const user = requireUser(actor);
      await runWrite({ actor }, async (tx, note) => {
        const token = await tx.users.getToken(id);
        if (token?.user !== user.user) throw fail("TOKEN_NOT_FOUND", { id });
        await revokeWithDescendants(tx, note, token);
      });
    },
);

/** Revokes all tokens of one user, or of all users. @returns the number of newly revoked tokens */
export const revokeTokens = operatorUseCase(
  ({ runWrite }) =>
    (name?: string): Promise<number> =>
      runWrite({ actor: OPERATOR }, async (tx, note) => {
        const user = name === undefined ? undefined : await findUser(tx.users, name, "user");
        const revoked = await tx.users.revokeTokens(user?.id);
        for (const token of revoked) {
          await note({ action: "token.revoke", kind: "token", id: token.id, whom: token.user });
        }
        return revoked.length;
      }),
);

/** Notes the day on which a token was used. */
export const touchToken = useCase(
  { thread: "writer" },
  ({ store }) =>
    (token: string, day: string): Promise<void> =>
      store.transaction((tx) => tx.users.touchToken(token, day)),
);

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 33;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^bnd_[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

/** Number of random bytes for `makeToken`: 192 bits. */
export const TOKEN_BYTES = 24;

/**
 * Makes a token: `bnd_`, a secret of 33 characters, and a checksum of 6 (CRC-32), so that scanners for leaked secrets
 * recognize it.
 * @param bytes TOKEN_BYTES random bytes
 */
export function makeToken(bytes: Uint8Array): string {
  let n = 0n;
  for (const byte of bytes.subarray(0, TOKEN_BYTES)) n = n * 256n + BigInt(byte);
  const secret = `bnd_${toBase62(n, SECRET_LENGTH)}`;
  return secret + checksum(secret);
}

/** Returns whether a text has the form of a token. Callers save the look-up of mistyped or truncated tokens. */
export function isToken(text: string): boolean {
  return FORM.test(text) && text.endsWith(checksum(text.slice(0, -CHECK_LENGTH)));
}

/** Returns the digest that is stored for a token: the SHA-256 of its whole text, in hex. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), CHECK_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}
