import { ANONYMOUS, OPERATOR, ROLES } from "../../core/actor.js";
import { headOf, type RecordHead } from "../../core/record.js";
import { parseRecordId } from "../../core/record-id.js";
import type { UserReader, UserRow, WriteTransaction } from "../../ports/store.js";
import type { AccountOperatorServices, OwnedCounts, TransferRequest } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import type { RunWrite } from "../context/run-write.js";
import { nameKey, userByName, usersLike } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { isName, NAME_RULE } from "../input/names.js";
import { targetOf } from "../records/record-body.js";

/** The user of this name. @throws PARAMETER_INVALID */
export async function findUser(users: UserReader, name: string, parameter = "name"): Promise<UserRow> {
  const user = await userByName(users, name);
  if (user !== undefined) return user;
  throw badParameter(parameter, `There is no user ${name}; \`user list\` shows them.`, name);
}

/**
 * Checks that a name is valid and free. Names that look alike are equal, so that no right goes to the wrong person.
 * @param current the user to rename; absent for a new user
 * @returns the name to store, in composed characters (NFC)
 * @throws PARAMETER_INVALID
 */
async function checkNewName(users: UserReader, name: string, current?: UserRow): Promise<string> {
  if (!isName(name)) throw badParameter("name", NAME_RULE, name);
  const key = nameKey(name);
  if (key === ANONYMOUS.kind || key === OPERATOR.kind) {
    throw badParameter("name", `${name} is the name of another user in the audit log; choose another name.`, name);
  }
  const other = (await usersLike(users, name)).find(({ id }) => id !== current?.id);
  if (other !== undefined) throw badParameter("name", `There is already a user ${other.name}.`, name);
  return name.normalize("NFC");
}

/** Adds a user. @throws PARAMETER_INVALID where the name is taken or no name */
export function makeAddUser({ runWrite }: Deps): AccountOperatorServices["addUser"] {
  return async (name, role) => {
    if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await tx.users.addUser({ name: await checkNewName(tx.users, name), role });
      await note({ action: "user.add", kind: "user", place: role, id: user.id, whom: user.id });
      return user;
    });
  };
}

/** Gives a user another name. Records, tokens and the audit log know users by their ids, which stay. */
export function makeRenameUser({ runWrite }: Deps): AccountOperatorServices["renameUser"] {
  return (name, newName) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await findUser(tx.users, name);
      if (user.name === newName) return user;
      const kept = await checkNewName(tx.users, newName, user);
      await tx.users.rename(user.id, kept);
      await note({ action: "user.rename", kind: "user", place: `${user.name} -> ${kept}`, id: user.id, whom: user.id });
      return { ...user, name: kept };
    });
}

/** Gives a user another role, which counts from their next request on. The same again changes nothing. */
export function makeSetRole({ runWrite }: Deps): AccountOperatorServices["setRole"] {
  return async (name, role) => {
    if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await findUser(tx.users, name);
      if (user.role === role) return user;
      await tx.users.setRole(user.id, role);
      await note({ action: "user.role", kind: "user", place: role, id: user.id, whom: user.id });
      return { ...user, role };
    });
  };
}

/** Ends a user's access, or gives it back, from their next request on. The same again changes nothing. */
export function makeSetDisabled({ runWrite }: Deps): AccountOperatorServices["setDisabled"] {
  return (name, isDisabled) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const { disabled, ...user } = await findUser(tx.users, name);
      if (isDisabled && disabled !== undefined) return { ...user, disabled };
      if (!isDisabled && disabled === undefined) return user;
      await tx.users.setDisabled(user.id, isDisabled);
      await note({ action: isDisabled ? "user.disable" : "user.enable", kind: "user", id: user.id, whom: user.id });
      return isDisabled ? { ...user, disabled: tx.now } : user;
    });
}

/** Removes a user for good. The audit log keeps the name and the id, which is not given again. */
export function makeDeleteUser({ runWrite }: Deps): AccountOperatorServices["deleteUser"] {
  return (name) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await findUser(tx.users, name);
      const owned = await tx.records.countOwned(user.id);
      if (owned.published + owned.drafts > 0) throw badParameter("name", explain(name, owned), name);
      await tx.users.delete(user.id);
      await note({ action: "user.delete", kind: "user", place: name, id: user.id, whom: user.id });
      return user;
    });
}

function explain(name: string, { published, drafts }: OwnedCounts): string {
  const records = `${published} published ${published === 1 ? "record" : "records"}`;
  const owned = `${records} and ${drafts} ${drafts === 1 ? "draft" : "drafts"}`;
  return (
    `${name} owns ${owned}. \`user transfer ${name} NAME\` gives them to another user; ` +
    `\`user disable ${name}\` ends the access of the user and keeps everything.`
  );
}

/** Parents per transaction, so that other writers come in between. */
const PARENTS_MAX = 10;

const NOTHING: OwnedCounts = { drafts: 0, published: 0 };

/**
 * Gives records and drafts to another user. All versions under a parent have one owner, so they go together. Each body
 * shows its owner: it takes its next revision, and the change feed tells of it. Many go in several transactions; what
 * ended in the middle is finished by the same command.
 */
export function makeTransferRecords({ runWrite }: Deps): AccountOperatorServices["transferRecords"] {
  return async (request) => {
    let total = NOTHING;
    for (;;) {
      const given = await giveSome(runWrite, request);
      total = add(total, given);
      if (request.record !== undefined || given.drafts + given.published === 0) return total;
    }
  };
}

function giveSome(runWrite: RunWrite, request: TransferRequest): Promise<OwnedCounts> {
  return runWrite({ actor: OPERATOR }, async (tx, note) => {
    const { from, to } = await findBoth(tx, request);
    const parents =
      request.record === undefined
        ? await tx.records.ownedParents(from.id, { limit: PARENTS_MAX, draftsOnly: request.draftsOnly ?? false })
        : [await findParent(tx, request.record, from)];
    let given = NOTHING;
    for (const parent of parents) {
      for (const id of new Set((await tx.records.versionsOf(parent)).map((row) => row.id))) {
        const heads = await giveVersion(tx, id, to);
        const published = heads.filter(({ state }) => state === "published").length;
        given = add(given, { published, drafts: heads.length - published });
        await note({ action: "record.transfer", ...targetOf(heads[0]!), whom: to.id });
      }
    }
    return given;
  });
}

async function findBoth({ users }: WriteTransaction, { from, to }: TransferRequest) {
  const both = { from: await findUser(users, from, "from"), to: await findUser(users, to, "to") };
  if (both.from.id === both.to.id) throw badParameter("to", "Name another user as the new owner.", to);
  if (both.to.disabled === undefined) return both;
  throw badParameter("to", `${to} is disabled; \`user enable ${to}\` first, or name another user.`, to);
}

/** @throws PARAMETER_INVALID where there is no such record, or somebody else owns it */
async function findParent({ records, users }: WriteTransaction, sent: string, from: UserRow): Promise<string> {
  const id = parseRecordId(sent);
  const record =
    id === undefined
      ? undefined
      : ((await records.get(id, "published")) ?? (await records.get(id, "draft")) ?? (await firstUnder(records, id)));
  if (record === undefined) throw badParameter("record", `There is no record or draft with the id "${sent}".`, sent);
  if (record.owner === from.id) return record.parent;
  const owner = (await users.getUser(record.owner))?.name ?? `the user ${record.owner}`;
  throw badParameter("record", `"${sent}" is owned by ${owner}, not by ${from.name}.`, sent);
}

async function firstUnder(records: WriteTransaction["records"], parent: string) {
  const [first] = await records.versionsOf(parent);
  return first && records.get(first.id, first.state);
}

/** Gives what is stored under one id: what is published, its draft, or both. @returns their heads as they are now */
async function giveVersion(
  { records, shares, now }: WriteTransaction,
  id: string,
  to: UserRow,
): Promise<readonly RecordHead[]> {
  const stored = [await records.get(id, "published"), await records.get(id, "draft")];
  const revision_id = (await records.lastRevision(id)) + 1;
  const given: RecordHead[] = [];
  for (const record of stored) {
    if (record === undefined) continue;
    // Whoever owns a draft needs no share of it.
    if (record.state === "draft") await shares.delete(id, to.id);
    const head = headOf(record);
    const changed = { ...head, updated: now, revision_id, parent: { ...head.parent, owner: { user: to.id } } };
    await records.putHead(record, changed);
    given.push(changed);
  }
  return given;
}

const add = (a: OwnedCounts, b: OwnedCounts): OwnedCounts => ({
  drafts: a.drafts + b.drafts,
  published: a.published + b.published,
});
