/**
 * Random writes as services make them, for several writers at once. Each counted write of a record raises the number
 * `edits` in its metadata by one: a write that was lost is missing there.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseHead, type RecordBody, type StoredRecord } from "../../../src/core/record.js";
import type { WriteTransaction } from "../../../src/ports/store.js";
import { tombstone } from "../../contract/tombstones.contract.js";
import type { SeededRandom } from "../random.js";
import { tinyDraft } from "./engine-under-test.js";

/** What a committed write did. */
export interface Done {
  /** Revisions that were given to ids. */
  readonly revisions?: readonly (readonly [id: string, revision: number])[];
  /** The records of counted writes. */
  readonly edited?: readonly string[];
  /** Of a record that is gone now: how many counted writes it had seen. */
  readonly ended?: readonly [id: string, edits: number];
  /** Ids that others may write from now on, and users. */
  readonly deposited?: string;
  readonly added?: string;
  /** The idempotency key under which this was done. */
  readonly key?: string;
}

export type Put = (tx: WriteTransaction, body: RecordBody) => Promise<StoredRecord>;

/** One write; undefined: there was nothing to do. It may be run more than once. */
export type Work = (tx: WriteTransaction, put: Put) => Promise<Done | undefined>;

/** What all writers know. */
export interface Known {
  /** The last ids that were deposited, so that few families are fought for. */
  readonly ids: string[];
  readonly users: string[];
  /** Writes that were chosen so far. */
  chosen: number;
}

const TERMS = ["sp:1", "sp:2", "sp:3", "sp:4"];

const bodyOf = ({ json }: StoredRecord): RecordBody => JSON.parse(json);
const editsOf = (...records: readonly (StoredRecord | undefined)[]): number =>
  Math.max(0, ...records.map((record) => (record === undefined ? 0 : Number(bodyOf(record).metadata.edits))));

/** Both states of an id. */
async function readBoth({ records }: WriteTransaction, id: string) {
  const [published, draft] = [await records.get(id, "published"), await records.get(id, "draft")];
  return { published, draft, edits: editsOf(published, draft) };
}

const nextRevision = async ({ records }: WriteTransaction, id: string): Promise<number> =>
  (await records.lastRevision(id)) + 1;

type Choose = (known: Known, random: SeededRandom) => Work;

/** Puts a counted write over what an id has, after a while. */
async function edit(tx: WriteTransaction, put: Put, record: StoredRecord, edits: number, term: string): Promise<Done> {
  await sleep(1);
  const revision_id = await nextRevision(tx, record.id);
  const body = bodyOf(record);
  await put(tx, { ...body, revision_id, metadata: { edits: edits + 1, organism: { id: term } } });
  return { revisions: [[record.id, revision_id]], edited: [record.id] };
}

const editing =
  (state: "draft" | "published"): Choose =>
  ({ ids }, random) => {
    const [id, term] = [random.pick(ids), random.pick(TERMS)];
    return async (tx, put) => {
      const both = await readBoth(tx, id);
      const record = both[state];
      return record && edit(tx, put, record, both.edits, term);
    };
  };

/** Two that meet may have each what the other one wants next: one of them is run again. */
const editTwo: Choose = (known, random) => {
  const few = { ...known, ids: known.ids.slice(-3) };
  const [one, other] = [editing("published")(few, random), editing("published")(few, random)];
  return async (tx, put) => {
    const both = [await one(tx, put), await other(tx, put)].flatMap((done) => done ?? []);
    return {
      revisions: both.flatMap(({ revisions = [] }) => revisions),
      edited: both.flatMap(({ edited = [] }) => edited),
    };
  };
};

const deposit: Choose = ({ users, chosen }, random) => {
  const [owner, term] = [random.pick(users), random.pick(TERMS)];
  // Some ask for one id at once.
  const id = `r${chosen - random.integer(0, 3)}`;
  return async (tx, put) => {
    const parent = `${id}-parent`;
    if ((await tx.users.getUser(owner)) === undefined) return undefined;
    if ((await tx.records.isTaken(parent)) || (await tx.records.isTaken(id))) return undefined;
    const changes = { parent: { id: parent, owner: { user: owner } } };
    await put(tx, tinyDraft(id, { edits: 0, organism: { id: term } }, changes));
    return { deposited: id, revisions: [[id, 1]] };
  };
};

const addVersion: Choose = ({ ids, chosen }, random) => {
  const [of, id] = [random.pick(ids), `v${chosen}`];
  return async (tx, put) => {
    const before = await tx.records.get(of, "published");
    if (before === undefined) return undefined;
    const versions = await tx.records.listVersions(before.parent);
    const { parent } = parseHead(before);
    const index = versions.at(-1)!.version + 1;
    const flags = { index, is_latest: false, is_latest_draft: true };
    await put(tx, tinyDraft(id, { edits: 0 }, { parent, versions: flags }));
    return { deposited: id, revisions: [[id, 1]] };
  };
};

/** Writes the flag of the latest version of a record, as one more revision. */
async function flag(tx: WriteTransaction, id: string, is_latest: boolean): Promise<readonly [string, number]> {
  const record = (await tx.records.get(id, "published"))!;
  const head = parseHead(record);
  const revision_id = await nextRevision(tx, id);
  await tx.records.putHead(record, { ...head, revision_id, versions: { ...head.versions, is_latest } });
  return [id, revision_id];
}

const publish: Choose = ({ ids }, random) => {
  const id = random.pick(ids);
  return async (tx, put) => {
    const { draft, edits } = await readBoth(tx, id);
    if (draft === undefined) return undefined;
    const versions = (await tx.records.listVersions(draft.parent)).filter(({ state }) => state === "published");
    const body = bodyOf(draft);
    const is_latest = versions.every(({ version }) => version <= body.versions.index);
    const latest = versions.find((version) => version.isLatest && version.id !== id);
    const flagged = is_latest && latest !== undefined ? [await flag(tx, latest.id, false)] : [];
    const revision_id = await nextRevision(tx, id);
    const published = { state: "published", is_draft: false, is_published: true } as const;
    const metadata = { ...body.metadata, edits: edits + 1 };
    const flags = { ...body.versions, is_latest };
    await put(tx, { ...body, ...published, revision_id, metadata, versions: flags });
    await tx.records.delete(id, "draft");
    return { revisions: [...flagged, [id, revision_id]], edited: [id] };
  };
};

const openDraft: Choose = ({ ids }, random) => {
  const id = random.pick(ids);
  return async (tx, put) => {
    const { published, draft, edits } = await readBoth(tx, id);
    if (published === undefined || draft !== undefined) return undefined;
    const { parent, versions } = parseHead(published);
    const revision_id = await nextRevision(tx, id);
    await put(tx, tinyDraft(id, { edits: edits + 1 }, { parent, versions, revision_id }));
    return { revisions: [[id, revision_id]], edited: [id] };
  };
};

/** Of a published record it counts in what stays. */
const deleteDraft: Choose = ({ ids }, random) => {
  const id = random.pick(ids);
  return async (tx, put) => {
    const { published, draft, edits } = await readBoth(tx, id);
    if (draft === undefined) return undefined;
    await tx.records.delete(id, "draft");
    return published === undefined ? { ended: [id, edits] } : edit(tx, put, published, edits, "sp:1");
  };
};

/** The newest version that is left becomes the latest. */
const bury: Choose = ({ ids }, random) => {
  const id = random.pick(ids);
  return async (tx) => {
    const { published, edits } = await readBoth(tx, id);
    if (published === undefined) return undefined;
    const { parent, versions } = bodyOf(published);
    const revision = await nextRevision(tx, id);
    await tx.records.bury(
      tombstone(id, { parent: parent.id, owner: parent.owner.user, version: versions.index, revision }),
    );
    const left = (await tx.records.listVersions(parent.id)).filter(({ state }) => state === "published");
    const flagged = versions.is_latest && left.length > 0 ? [await flag(tx, left.at(-1)!.id, true)] : [];
    return { revisions: [[id, revision], ...flagged], ended: [id, edits] };
  };
};

const share: Choose = ({ ids, users }, random) => {
  const [id, user, isMore] = [random.pick(ids), random.pick(users), random.next() < 0.6];
  return async (tx) => {
    if ((await tx.records.get(id, "draft")) === undefined || (await tx.users.getUser(user)) === undefined)
      return undefined;
    if (isMore) await tx.shares.put(id, user, "write");
    else await tx.shares.delete(id, user);
    return {};
  };
};

/** Edits once, whoever comes with the key. */
const editWithKey: Choose = (known, random) => {
  const [key, once] = [`key${Math.floor(known.chosen / 40)}`, editing("published")(known, random)];
  return async (tx, put) => {
    if ((await tx.answers.find("1", key)) !== undefined) return undefined;
    const done = await once(tx, put);
    await tx.answers.keep("1", key, { request: "digest", outcome: {} });
    return { ...done, key };
  };
};

const transfer: Choose = ({ users }, random) => {
  const [from, to] = [random.pick(users), random.pick(users)];
  return async (tx) => {
    if (from === to || (await tx.users.getUser(to)) === undefined) return undefined;
    const revisions: [string, number][] = [];
    for (const parent of await tx.records.ownedParents(from, { limit: 1, draftsOnly: false })) {
      for (const id of new Set((await tx.records.listVersions(parent)).map((row) => row.id))) {
        const { published, draft } = await readBoth(tx, id);
        const revision_id = await nextRevision(tx, id);
        for (const record of [published, draft]) {
          if (record === undefined) continue;
          if (record.owner !== from) throw new Error(`${id} was given by ${from}, and ${record.owner} owns it.`);
          const head = parseHead(record);
          await tx.records.putHead(record, { ...head, revision_id, parent: { ...head.parent, owner: { user: to } } });
        }
        revisions.push([id, revision_id]);
      }
    }
    return { revisions };
  };
};

const addUser: Choose = ({ chosen }) => {
  return async (tx) => ({ added: (await tx.users.addUser({ name: `user ${chosen}`, role: "depositor" })).id });
};

const deleteUser: Choose = ({ users }, random) => {
  const id = random.pick(users);
  return async (tx) => {
    if ((await tx.users.getUser(id)) === undefined) return undefined;
    const { drafts, published } = await tx.records.countOwned(id);
    if (drafts + published > 0) return undefined;
    await tx.users.delete(id);
    return {};
  };
};

const WEIGHTS: readonly (readonly [choose: Choose, weight: number])[] = [
  [editing("published"), 25],
  [editing("draft"), 15],
  [deposit, 12],
  [publish, 12],
  [editWithKey, 7],
  [addVersion, 5],
  [openDraft, 5],
  [share, 6],
  [deleteDraft, 3],
  [bury, 3],
  [transfer, 2],
  [editTwo, 4],
  [addUser, 2],
  [deleteUser, 3],
];
const CHOICES = WEIGHTS.flatMap(([choose, weight]) => Array.from({ length: weight }, () => choose));

export function chooseWork(known: Known, random: SeededRandom): Work {
  known.chosen += 1;
  return known.ids.length === 0 ? deposit(known, random) : random.pick(CHOICES)(known, random);
}
