/** All decisions about access rights. */
import type { Actor, Role, Scope } from "./actor.js";
import { fail } from "./errors.js";
import { LIFE_ACTIONS, type LifeAction, permits, type Standing } from "./lifecycle.js";

/** An actor with a token. */
export type User = Extract<Actor, { kind: "user" }>;

/** Returns whether the token carries the scope, or one that implies it. */
export function hasScope(actor: Actor, scope: Scope): boolean {
  if (actor.kind !== "user") return actor.kind === "operator";
  const { scopes } = actor;
  if (scopes.includes("admin") || scopes.includes(scope)) return true;
  return scope === "records:read" && scopes.includes("records:write");
}

/** Returns the actor as a user. @throws TOKEN_MISSING for an anonymous caller */
export function requireUser(actor: Actor): User {
  if (actor.kind !== "user") throw fail("TOKEN_MISSING");
  return actor;
}

/** Checks that the token has a scope. @throws SCOPE_MISSING */
export function requireScope(actor: Actor, scope: Scope): void {
  if (!hasScope(actor, scope)) throw fail("SCOPE_MISSING", { scope });
}

/**
 * Returns the relation of a user to a record or draft. Only strangers may not read a draft, which does not exist for
 * them.
 * @param shared permission of a share of the draft with the user
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

/** Checks that the token has the scope of an action. @throws SCOPE_MISSING */
export function requireScopeOf(actor: Actor, action: LifeAction): void {
  requireScope(actor, LIFE_ACTIONS[action].scope);
}

/** Checks that a standing permits an action. @throws ACCESS_DENIED */
export function requireStanding(standing: Standing, action: LifeAction): void {
  if (!permits(action, standing)) throw fail("ACCESS_DENIED", { action: LIFE_ACTIONS[action].denied });
}

/** Checks that a user may read all drafts. @throws ACCESS_DENIED */
export function requireEveryDraft(user: User): void {
  if (!seesEveryDraft(user)) throw fail("ACCESS_DENIED", { action: "list drafts of others (curators only)" });
}

/** Returns whether a user may read the drafts of all users. */
export const seesEveryDraft = ({ role }: Pick<User, "role">): boolean => permits("read", standingOfRole(role));

/** Returns the standing for drafts that the user does not own and that are not shared with the user. */
const standingOfRole = (role: Role): Standing => (role === "depositor" ? "stranger" : role);

/**
 * Checks the right to write terms. Curators and admins have it; depositors may add terms to extensible vocabularies.
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
