/** Who may do what. Every decision about access is here, and nowhere else. */
import type { Actor, Role, Scope } from "./actor.js";
import { fail } from "./errors.js";
import { LIFE, type LifeAction, permits, type Standing } from "./lifecycle.js";

/** An actor who showed a token. */
export type User = Extract<Actor, { kind: "user" }>;

/** Does the token carry the scope, or one that implies it? */
export function hasScope(actor: Actor, scope: Scope): boolean {
  if (actor.kind !== "user") return actor.kind === "operator";
  const { scopes } = actor;
  if (scopes.includes("admin") || scopes.includes(scope)) return true;
  return scope === "records:read" && scopes.includes("records:write");
}

/** @throws TOKEN_MISSING for an anonymous caller */
export function requireUser(actor: Actor): User {
  if (actor.kind !== "user") throw fail("TOKEN_MISSING");
  return actor;
}

/** @throws SCOPE_MISSING */
export function requireScope(actor: Actor, scope: Scope): void {
  if (!hasScope(actor, scope)) throw fail("SCOPE_MISSING", { scope });
}

/**
 * How a user stands to a record or draft. What somebody may not read does not exist for them, and a draft is read by
 * all but strangers.
 * @param shared what is shared of the draft with the user
 */
export function standingOf(
  { user, role }: User,
  { owner }: { readonly owner: string },
  shared?: "read" | "write",
): Standing {
  if (owner === user) return "owner";
  if (role !== "depositor" || shared === undefined) return standingOfRole(role);
  return shared === "write" ? "writer" : "reader";
}

/** @throws SCOPE_MISSING: the scope of the action */
export function requireScopeOf(actor: Actor, action: LifeAction): void {
  requireScope(actor, LIFE[action].scope);
}

/** @throws ACCESS_DENIED where the table of the life of a record does not name the standing */
export function requireStanding(standing: Standing, action: LifeAction): void {
  if (!permits(action, standing)) throw fail("ACCESS_DENIED", { action: LIFE[action].denied });
}

/** @throws ACCESS_DENIED for those who see only their own drafts and those that are shared with them */
export function requireEveryDraft(user: User): void {
  if (!seesEveryDraft(user)) throw fail("ACCESS_DENIED", { action: "list drafts of others (curators only)" });
}

/** Curators read the drafts of everybody. */
export const seesEveryDraft = ({ role }: Pick<User, "role">): boolean => permits("read", standingOfRole(role));

/** How a role stands to drafts that are neither the user's own nor shared with the user. */
const standingOfRole = (role: Role): Standing => (role === "depositor" ? "stranger" : role);

/**
 * Items of vocabularies are the curators' and admins'; any depositor adds one where the vocabulary says so.
 * @throws TOKEN_MISSING, ACCESS_DENIED, SCOPE_MISSING
 */
export function requireTermWrite(
  actor: Actor,
  { name, extensible }: { readonly name: string; readonly extensible: boolean },
  action: "add" | "change" | "delete" | "read the history of",
): void {
  if (actor.kind === "operator") return;
  const user = requireUser(actor);
  const mayAdd = action === "add" && extensible;
  if (mayAdd && hasScope(user, "records:write")) return;
  if (user.role !== "depositor") requireScope(user, "vocabularies:write");
  else if (mayAdd) throw fail("SCOPE_MISSING", { scope: "records:write" });
  else throw fail("ACCESS_DENIED", { action: `${action} terms of ${name} (curators only)` });
}
