import { PERMISSIONS, type Permission } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { type Json, own } from "../../core/json.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import type { Share, UserReader, UserRow } from "../../ports/store.js";
import type { Grant, RecordServices } from "../api/record-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { resolveUser } from "../context/user-names.js";
import { makeIssue } from "../input/issues.js";
import { readMembers, readText } from "../input/read-json.js";
import { findDraft } from "../records/find-draft.js";

/** Shares a draft with somebody, or changes what they may do with it. */
export function makePutGrant({ runWrite, catalog }: Deps): RecordServices["putGrant"] {
  return async (actor, address, body, { once } = {}) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "share");
    const replay = { action: "share", id: address.id } as const;
    return runWrite({ actor, replay, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const draft = await findDraft(tx, user, "share", address);
      const { grantee, permission } = await readGrant(tx.users, body, draft.owner);
      const before = await tx.shares.permissionOf(draft.id, grantee.id);
      if (before !== permission) {
        await tx.shares.put(draft.id, grantee.id, permission);
        const target = { kind: "record", place: model.name, id: draft.id, revision: draft.revision } as const;
        await note({ action: "draft.share", ...target, whom: grantee.id });
      }
      const share = (await tx.shares.list(draft.id)).find((each) => each.user.id === grantee.id)!;
      return { grant: grantOf(share), isNew: before === undefined };
    });
  };
}

/** @throws BODY_INVALID naming all that is wrong */
async function readGrant(
  users: UserReader,
  body: string,
  owner: string,
): Promise<{ readonly grantee: UserRow; readonly permission: Permission }> {
  const { members, issues } = readMembers(body, ["user", "permission"], ["created"]);
  const user = readText(members, "user", 'user must be the name of a user: {"user": "ada", "permission": "read"}.');
  const sent = own(members, "permission");
  const permission = PERMISSIONS.find((each) => each === sent);
  const grantee = typeof user === "string" ? await resolveUser(users, user) : undefined;
  const found: Issue[] = [...issues];
  if (typeof user !== "string") found.push(user);
  else if (grantee === undefined) {
    found.push(makeIssue(["user"], "USER_UNKNOWN", [`There is no user "${user}".`], { value: user }));
  } else if (grantee.id === owner) {
    const message = `${grantee.name} owns the draft; share it with another user.`;
    found.push(makeIssue(["user"], "NOT_ALLOWED", [message], { value: user }));
  }
  if (permission === undefined) found.push(badPermission(sent));
  if (found.length > 0 || grantee === undefined || permission === undefined) {
    throw fail("BODY_INVALID", { issues: found });
  }
  return { grantee, permission };
}

function badPermission(sent: Json | undefined): Issue {
  const message = "permission must be read, or write to allow replacing the draft too.";
  if (sent === undefined) return makeIssue(["permission"], "REQUIRED", [message], { allowed: PERMISSIONS });
  return makeIssue(["permission"], "NOT_ALLOWED", [message], { value: sent, allowed: PERMISSIONS });
}

/** With whom a draft is shared, by name. */
export function makeListGrants({ store, catalog }: Deps): RecordServices["listGrants"] {
  return async (actor, address) => {
    const user = requireUser(actor);
    findModel(catalog, address.model);
    requireScopeOf(user, "listGrants");
    const draft = await findDraft(store, user, "listGrants", address);
    return (await store.shares.list(draft.id)).map(grantOf);
  };
}

function grantOf({ user, permission, created }: Share): Grant {
  return { user: user.name, permission, created };
}

/** Ends the sharing of a draft with somebody. */
export function makeDeleteGrant({ runWrite, catalog }: Deps): RecordServices["deleteGrant"] {
  return async (actor, address, name) => {
    const user = requireUser(actor);
    const model = findModel(catalog, address.model);
    requireScopeOf(user, "share");
    await runWrite({ actor }, async (tx, note) => {
      const { id, revision } = await findDraft(tx, user, "share", address);
      const grantee = await resolveUser(tx.users, name);
      if (grantee === undefined || !(await tx.shares.delete(id, grantee.id))) {
        throw fail("GRANT_NOT_FOUND", { id, user: name });
      }
      await note({ action: "draft.unshare", kind: "record", place: model.name, id, revision, whom: grantee.id });
    });
  };
}
