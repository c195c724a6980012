import { SCOPES, type Scope } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { type Json, type JsonObject, own } from "../../core/json.js";
import { hasScope, requireUser, type User } from "../../core/may.js";
import { parseInstant } from "../../core/time.js";
import type { AccountServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { makeIssue } from "../input/issues.js";
import { isName, NAME_RULE } from "../input/names.js";
import { readMembers } from "../input/read-json.js";
import { issueToken } from "./issue-token.js";
import { readExpiry } from "./read-expiry.js";

type Answer = ReturnType<AccountServices["createOwnToken"]>;

/**
 * Makes another token of the caller's, which may do no more and ends no later than the one that asks: a token that
 * leaked gives nobody more than it had. It ends with the one that asks: when that one expires, or is revoked.
 */
export function makeCreateOwnToken({ runWrite, clock, random }: Deps): AccountServices["createOwnToken"] {
  return async (actor, body, { once } = {}) => {
    const user = requireUser(actor);
    return runWrite(
      { actor, ...(once === undefined ? {} : { once }) },
      async (tx, note): Answer => {
        const { name, scopes, end } = readPlan(body, user, clock.nowMicros());
        const mine = await tx.users.getToken(user.token);
        // Since the request was let in its token may have ended: nothing that comes of it may live on.
        if (mine === undefined) throw fail("TOKEN_INVALID", {});
        if (mine.revoked !== undefined) throw fail("TOKEN_REVOKED", { actor });
        const last = mine.expires === undefined ? undefined : parseInstant(mine.expires);
        checkExcess(user, scopes, { end, last, expires: mine.expires });
        const until = end ?? last;
        const plan = {
          user: user.user,
          name,
          scopes,
          parent: user.token,
          ...(until === undefined ? {} : { end: until }),
        };
        return issueToken(random, tx, note, plan);
      },
      ({ row }) => ({ row }),
    );
  };
}

interface Plan {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly end: number | undefined;
}

/** @throws BODY_INVALID naming all that is wrong */
function readPlan(body: string, user: User, now: number): Plan {
  const { members, issues } = readMembers(body, ["name", "scopes", "expires"], []);
  const name = readName(members, user.name);
  const scopes = readScopes(own(members, "scopes"));
  const end = readEnd(own(members, "expires"), now);
  const found = [...issues, ...[name, scopes, end].filter(isIssue)];
  if (found.length > 0 || isIssue(name) || isIssue(scopes) || isIssue(end))
    throw fail("BODY_INVALID", { issues: found });
  return { name, scopes, end };
}

function isIssue(value: unknown): value is Issue {
  return typeof value === "object" && value !== null && "pointer" in value;
}

function readName(members: JsonObject, without: string): string | Issue {
  const name = own(members, "name");
  if (name === undefined) return without;
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
  /** When the token that asks ends, as a number and as a text; undefined: never. */
  readonly last: number | undefined;
  readonly expires: string | undefined;
}

/** @throws TOKEN_EXCEEDED naming what is too much, and what is allowed */
function checkExcess(user: User, scopes: readonly Scope[], { end, last, expires }: Ends): void {
  const issues: Issue[] = [];
  const excess = scopes.filter((scope) => !hasScope(user, scope));
  if (excess.length > 0) {
    const allowed = SCOPES.filter((scope) => hasScope(user, scope));
    const message = `This token does not have ${excess.join(", ")}; it can give ${allowed.join(", ")}.`;
    issues.push(makeIssue(["scopes"], "NOT_ALLOWED", [message], { value: excess, allowed }));
  }
  if (end !== undefined && last !== undefined && end > last) {
    const message = `This token expires at ${expires}; send an earlier time, or leave expires out.`;
    issues.push(makeIssue(["expires"], "NOT_ALLOWED", [message]));
  }
  if (issues.length > 0) throw fail("TOKEN_EXCEEDED", { issues });
}
