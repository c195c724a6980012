import { ANONYMOUS, OPERATOR, ROLES, type Role } from "../../core/actor.js";
import { parseHead, parseRecordId, type RecordHead } from "../../core/record.js";
import type { UserReader, UserRow, WriteTransaction } from "../../ports/store.js";
import type { RunWrite } from "../context/run-write.js";
import { operatorUseCase } from "../context/use-case.js";
import { userByName, userNameKey, usersLike } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { isName, NAME_RULE } from "../input/read-json.js";
import { auditTarget } from "../records/record-body.js";

/** Numbers of published records and drafts. */
interface OwnedCounts {
  readonly drafts: number;
  readonly published: number;
}

/** A transfer from one user to another; by default of everything that `from` owns. */
interface TransferRequest {
  readonly from: string;
  readonly to: string;
  /** Id of a record, draft or parent: transfers only the versions and drafts under this parent. */
  readonly record?: string | undefined;
  /** Transfers only records that were never published. */
  readonly draftsOnly?: boolean;
}

/** Returns the user with a name. @throws PARAMETER_INVALID if there is none */
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
  const key = userNameKey(name);
  if (key === ANONYMOUS.kind || key === OPERATOR.kind) {
    throw badParameter("name", `${name} is the name of another user in the audit log; choose another name.`, name);
  }
  const other = (await usersLike(users, name)).find(({ id }) => id !== current?.id);
  if (other !== undefined) throw badParameter("name", `There is already a user ${other.name}.`, name);
  return name.normalize("NFC");
}

/** Adds a user. @throws PARAMETER_INVALID if the name is invalid or taken */
export const addUser = operatorUseCase(({ runWrite }) => async (name: string, role: Role): Promise<UserRow> => {
  if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
  return runWrite({ actor: OPERATOR }, async (tx, note) => {
    const user = await tx.users.addUser({ name: await checkNewName(tx.users, name), role });
    await note({ action: "user.add", kind: "user", place: role, id: user.id, whom: user.id });
    return user;
  });
});

/** Lists all users. */
export const listUsers = operatorUseCase(
  ({ store }) =>
    (): Promise<readonly UserRow[]> =>
      store.users.listUsers(),
);

/** Renames a user. Records, tokens and the audit log refer to users by id, which stays the same. */
export const renameUser = operatorUseCase(
  ({ runWrite }) =>
    (name: string, newName: string): Promise<UserRow> =>
      runWrite({ actor: OPERATOR }, async (tx, note) => {
        const user = await findUser(tx.users, name);
        if (user.name === newName) return user;
        const storedName = await checkNewName(tx.users, newName, user);
        await tx.users.rename(user.id, storedName);
        const place = `${user.name} -> ${storedName}`;
        await note({ action: "user.rename", kind: "user", place, id: user.id, whom: user.id });
        return { ...user, name: storedName };
      }),
);

/** Sets the role of a user, from their next request on. Setting the same role changes nothing. */
export const setRole = operatorUseCase(({ runWrite }) => async (name: string, role: Role): Promise<UserRow> => {
  if (!ROLES.includes(role)) throw badParameter("role", `The role must be one of ${ROLES.join(", ")}.`, role, ROLES);
  return runWrite({ actor: OPERATOR }, async (tx, note) => {
    const user = await findUser(tx.users, name);
    if (user.role === role) return user;
    await tx.users.setRole(user.id, role);
    await note({ action: "user.role", kind: "user", place: role, id: user.id, whom: user.id });
    return { ...user, role };
  });
});

/**
 * Disables or enables a user, from their next request on. The tokens of a disabled user are refused. Repeating the call
 * changes nothing.
 */
export const setDisabled = operatorUseCase(
  ({ runWrite }) =>
    (name: string, isDisabled: boolean): Promise<UserRow> =>
      runWrite({ actor: OPERATOR }, async (tx, note) => {
        const { disabled, ...user } = await findUser(tx.users, name);
        if (isDisabled && disabled !== undefined) return { ...user, disabled };
        if (!isDisabled && disabled === undefined) return user;
        await tx.users.setDisabled(user.id, isDisabled);
        await note({ action: isDisabled ? "user.disable" : "user.enable", kind: "user", id: user.id, whom: user.id });
        return isDisabled ? { ...user, disabled: tx.now } : user;
      }),
);

/**
 * Deletes a user who owns no records, with their tokens and the shares of drafts with them. The audit log keeps the
 * name and the id, which is never reused.
 */
export const deleteUser = operatorUseCase(
  ({ runWrite }) =>
    (name: string): Promise<UserRow> =>
      runWrite({ actor: OPERATOR }, async (tx, note) => {
        const user = await findUser(tx.users, name);
        const owned = await tx.records.countOwned(user.id);
        if (owned.published + owned.drafts > 0) throw badParameter("name", explainOwned(name, owned), name);
        await tx.users.delete(user.id);
        await note({ action: "user.delete", kind: "user", place: name, id: user.id, whom: user.id });
        return user;
      }),
);

function explainOwned(name: string, { published, drafts }: OwnedCounts): string {
  const records = `${published} published ${published === 1 ? "record" : "records"}`;
  const owned = `${records} and ${drafts} ${drafts === 1 ? "draft" : "drafts"}`;
  return (
    `${name} owns ${owned}. \`user transfer ${name} NAME\` gives them to another user; ` +
    `\`user disable ${name}\` ends the access of the user and keeps everything.`
  );
}

/** Parents per transaction, so that other writers can run in between. */
const PARENTS_MAX = 10;

const NO_RECORDS: OwnedCounts = { drafts: 0, published: 0 };

/**
 * Transfers records and drafts to another user. All versions under a parent have one owner, so they are transferred
 * together. Each body contains its owner, so it gets a new revision and an entry in the change feed. Many records are
 * transferred in several transactions; after an interruption the same command transfers the rest.
 * @returns the numbers of transferred records and drafts
 */
export const transferRecords = operatorUseCase(
  ({ runWrite }) =>
    async (request: TransferRequest): Promise<OwnedCounts> => {
      let total = NO_RECORDS;
      for (;;) {
        const counts = await transferBatch(runWrite, request);
        total = addCounts(total, counts);
        if (request.record !== undefined || counts.drafts + counts.published === 0) return total;
      }
    },
);

function transferBatch(runWrite: RunWrite, request: TransferRequest): Promise<OwnedCounts> {
  return runWrite({ actor: OPERATOR }, async (tx, note) => {
    const { from, to } = await findOwners(tx, request);
    const parents =
      request.record === undefined
        ? await tx.records.ownedParents(from.id, { limit: PARENTS_MAX, draftsOnly: request.draftsOnly ?? false })
        : [await findParent(tx, request.record, from)];
    let counts = NO_RECORDS;
    for (const parent of parents) {
      for (const id of new Set((await tx.records.listVersions(parent)).map((row) => row.id))) {
        const heads = await transferVersion(tx, id, to);
        const published = heads.filter(({ state }) => state === "published").length;
        counts = addCounts(counts, { published, drafts: heads.length - published });
        await note({ action: "record.transfer", ...auditTarget(heads[0]!), whom: to.id });
      }
    }
    return counts;
  });
}

async function findOwners({ users }: WriteTransaction, { from, to }: TransferRequest) {
  const owners = { from: await findUser(users, from, "from"), to: await findUser(users, to, "to") };
  if (owners.from.id === owners.to.id) throw badParameter("to", "Name another user as the new owner.", to);
  if (owners.to.disabled === undefined) return owners;
  throw badParameter("to", `${to} is disabled; \`user enable ${to}\` first, or name another user.`, to);
}

/** Returns the id of the parent. @throws PARAMETER_INVALID if there is no such record, or `from` does not own it */
async function findParent({ records, users }: WriteTransaction, idText: string, from: UserRow): Promise<string> {
  const id = parseRecordId(idText);
  const record =
    id === undefined
      ? undefined
      : ((await records.get(id, "published")) ?? (await records.get(id, "draft")) ?? (await firstUnder(records, id)));
  if (record === undefined) {
    throw badParameter("record", `There is no record or draft with the id "${idText}".`, idText);
  }
  if (record.owner === from.id) return record.parent;
  const owner = (await users.getUser(record.owner))?.name ?? `the user ${record.owner}`;
  throw badParameter("record", `"${idText}" is owned by ${owner}, not by ${from.name}.`, idText);
}

async function firstUnder(records: WriteTransaction["records"], parent: string) {
  const [first] = await records.listVersions(parent);
  return first && records.get(first.id, first.state);
}

/** Transfers what one id has: a published record, a draft, or both. @returns their new heads */
async function transferVersion(
  { records, shares, now }: WriteTransaction,
  id: string,
  to: UserRow,
): Promise<readonly RecordHead[]> {
  const stored = [await records.get(id, "published"), await records.get(id, "draft")];
  const revision_id = (await records.lastRevision(id)) + 1;
  const heads: RecordHead[] = [];
  for (const record of stored) {
    if (record === undefined) continue;
    // The owner of a draft needs no share of it.
    if (record.state === "draft") await shares.delete(id, to.id);
    const head = parseHead(record);
    const changed = { ...head, updated: now, revision_id, parent: { ...head.parent, owner: { user: to.id } } };
    await records.putHead(record, changed);
    heads.push(changed);
  }
  return heads;
}

const addCounts = (a: OwnedCounts, b: OwnedCounts): OwnedCounts => ({
  drafts: a.drafts + b.drafts,
  published: a.published + b.published,
});
