/** Who may do what. Every decision about access is here, and nowhere else. */
import type { Actor, Scope } from "./actor.js";
import { fail } from "./errors.js";

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

/** Sharing is the owner's and the admins': not even a curator hands out what is somebody else's. */
export function mayShareDraft(user: User, draft: { readonly owner: string }): boolean {
  return draft.owner === user.user || user.role === "admin";
}

/** A draft is its owner's. What an actor may not read does not exist for them. */
export function mayUseDraft(user: User, draft: { readonly owner: string }): boolean {
  return draft.owner === user.user;
}
