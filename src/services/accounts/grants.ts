import type { Actor } from "../../core/actor.js";
import { PERMISSIONS, type Permission } from "../../core/actor.js";
import type { Grant } from "../../core/answers/accounts.js";
import { fail } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { type Json, own } from "../../core/json.js";
import { requireScopeOf, requireUser } from "../../core/may.js";
import type { Share, UserReader, UserRow } from "../../ports/store.js";
import type { Conditions, RecordAddress } from "../api/records.js";
import { findModel } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { resolveUser } from "../context/user-names.js";
import { makeIssue } from "../input/issues.js";
import { readMembers, readText } from "../input/read-json.js";
import { findDraft } from "../records/find-record.js";

/** Shares a draft with a user, or changes the permission of an existing share. */
export const putGrant = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (
      actor: Actor,
      address: RecordAddress,
      body: string,
      { once }: Conditions = {},
    ): Promise<{ readonly grant: Grant; readonly isNew: boolean }> => {
      const user = requireUser(actor);
      const model = findModel(catalog, address.model);
      requireScopeOf(user, "share");
      const replay = { action: "share", id: address.id } as const;
      return runWrite({ actor, replay, once }, async (tx, note) => {
        const draft = await findDraft(tx, user, "share", address);
        const { grantee, permission } = await readGrant(tx.users, body, draft.owner);
        const currentPermission = await tx.shares.permissionOf(draft.id, grantee.id);
        if (currentPermission !== permission) {
          await tx.shares.put(draft.id, grantee.id, permission);
          const target = { kind: "record", place: model.name, id: draft.id, revision: draft.revision } as const;
          await note({ action: "draft.share", ...target, whom: grantee.id });
        }
        const share = (await tx.shares.list(draft.id)).find((each) => each.user.id === grantee.id)!;
        return { grant: grantOf(share), isNew: currentPermission === undefined };
      });
    },
);

/** Reads the body of a grant. @throws BODY_INVALID naming all problems */
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
  const allIssues: Issue[] = [...issues];
  if (typeof user !== "string") allIssues.push(user);
  else if (grantee === undefined) {
    allIssues.push(makeIssue(["user"], "USER_UNKNOWN", [`There is no user "${user}".`], { value: user }));
  } else if (grantee.id === owner) {
    const message = `${grantee.name} owns the draft; share it with another user.`;
    allIssues.push(makeIssue(["user"], "NOT_ALLOWED", [message], { value: user }));
  }
  if (permission === undefined) allIssues.push(badPermission(sent));
  if (allIssues.length > 0 || grantee === undefined || permission === undefined) {
    throw fail("BODY_INVALID", { issues: allIssues });
  }
  return { grantee, permission };
}

function badPermission(sent: Json | undefined): Issue {
  const message = "permission must be read, or write to allow replacing the draft too.";
  if (sent === undefined) return makeIssue(["permission"], "REQUIRED", [message], { allowed: PERMISSIONS });
  return makeIssue(["permission"], "NOT_ALLOWED", [message], { value: sent, allowed: PERMISSIONS });
}

/** Lists the users with whom a draft is shared. */
export const listGrants = useCase(
  { thread: "http" },
  ({ store, catalog }) =>
    async (actor: Actor, address: RecordAddress): Promise<readonly Grant[]> => {
      const user = requireUser(actor);
      findModel(catalog, address.model);
      requireScopeOf(user, "listGrants");
      const draft = await findDraft(store, user, "listGrants", address);
      return (await store.shares.list(draft.id)).map(grantOf);
    },
);

function grantOf({ user, permission, created }: Share): Grant {
  return { user: user.name, permission, created };
}

/**
 * Ends the sharing of a draft with a user.
 * @param name name or id of the user
 * @throws GRANT_NOT_FOUND
 */
export const deleteGrant = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (actor: Actor, address: RecordAddress, name: string): Promise<void> => {
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
    },
);
