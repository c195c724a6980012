import { OPERATOR } from "../../core/actor.js";
import { headOf, type RecordHead } from "../../core/record.js";
import { parseRecordId } from "../../core/record-id.js";
import type { UserRow, WriteTransaction } from "../../ports/store.js";
import type { AccountOperatorServices, OwnedCounts, TransferRequest } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import type { RunWrite } from "../context/run-write.js";
import { badParameter } from "../input/issues.js";
import { targetOf } from "../records/record-body.js";
import { findUser } from "./find-user.js";

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
