import { OPERATOR } from "../../core/actor.js";
import { formatInstant, parseInstant } from "../../core/time.js";
import type { WriteTransaction } from "../../ports/store.js";
import type { ImportOperatorServices, ReadRecord, RecordImportSummary, Unreadable } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { userByName } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { describeIssues, unreadIssues } from "../metadata/read-document.js";
import { targetOf } from "../records/record-body.js";
import { updateVersionFlags } from "../records/update-version-flags.js";
import { ImportDocument } from "./import-document.js";
import { makeRefusals } from "./load-source.js";
import { type ImportOrder, type ImportPlan, type ImportReach, planImport } from "./plan-import.js";
import { readAhead } from "./read-ahead.js";

/** Documents that wait for their transaction: at most so many, and then so many UTF-16 units of metadata. */
const QUEUE_MAX = 250;
const QUEUED_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Makes a record of each document of a file: `{"metadata": {...}}`, or the metadata itself. What was imported before is
 * the same record, so a run that was ended is continued by another one. Committed in short transactions; a
 * file that cannot be read to its end is refused before the first.
 */
export function makeImportRecords(deps: Deps): ImportOperatorServices["importRecords"] {
  const { store, catalog, clock } = deps;
  return async ({ model: modelName, file, owner: ownerName, onProgress, dryRun = false, ...flags }) => {
    const model = findModel(catalog, modelName);
    const owner = await userByName(store.users, ownerName);
    if (owner === undefined) throw badParameter("owner", `There is no user ${ownerName}; add one first.`, ownerName);
    const { publish, update = false, keepDrafts = false } = flags;
    const order: ImportOrder = { model, owner: owner.id, publish, update, keepDrafts };
    const outcomes = new Outcomes();
    const queue: (ImportDocument | Unreadable)[] = [];
    // What a dry run would have made of the file so far.
    const pretended = new Map<string, string>();

    const importSome = async (tx: WriteTransaction): Promise<readonly (() => void)[]> => {
      const until = clock.nowMicros() + tx.holdMs * 1_000;
      const start = parseInstant(tx.now);
      const planned: (() => void)[] = [];
      for (let n = 0; n < queue.length && (n === 0 || clock.nowMicros() < until); n++) {
        const document = queue[n]!;
        // Each record has an instant of its own, in the order of the file.
        const plan = await planOne(deps, tx, order, document, formatInstant(start + n));
        await carryOut(tx, order, plan);
        planned.push(() => outcomes.add(document.line, plan));
      }
      return planned;
    };
    const drain = async (): Promise<void> => {
      while (queue.length > 0) {
        const planned = await store.transaction(importSome, { length: lengthOf(queue) });
        // Only what is committed is counted.
        for (const count of planned) count();
        queue.splice(0, planned.length);
      }
    };
    const take = async (read: ReadRecord | Unreadable): Promise<void> => {
      const document = "reason" in read ? read : new ImportDocument(deps, model.name, read);
      if (dryRun || (await isKnown(store, order, document))) {
        // What takes long is done by planning it here, with what is committed; the transaction plans it again.
        const plan = await planOne(deps, store, order, document, formatInstant(clock.nowMicros()));
        if (dryRun) return outcomes.add(document.line, pretend(plan, pretended, update));
      }
      queue.push(document);
      if (queue.length >= QUEUE_MAX || lengthOf(queue) >= QUEUED_LENGTH_MAX) await drain();
    };
    const source = { kind: "records", file, model: model.name } as const;
    for await (const read of readAhead(deps, source, (read) => onProgress?.(read.bytesRead))) await take(read);
    await drain();
    return outcomes.summary();
  };
}

const lengthOf = (queue: readonly (ImportDocument | Unreadable)[]): number =>
  queue.reduce((sum, document) => sum + ("reason" in document ? 0 : document.length), 0);

/** May there be a record that the document is compared with? */
async function isKnown(
  { imports }: ImportReach,
  { model, owner }: ImportOrder,
  document: ImportDocument | Unreadable,
): Promise<boolean> {
  if ("reason" in document) return false;
  const { id, key } = document.identity;
  return id !== undefined || (await imports.find({ model: model.name, owner, key })) !== undefined;
}

async function planOne(
  deps: Deps,
  reach: ImportReach,
  order: ImportOrder,
  document: ImportDocument | Unreadable,
  now: string,
): Promise<ImportPlan> {
  if ("reason" in document) return { kind: "refused", reason: document.reason };
  try {
    return await planImport(deps, reach, order, document, now);
  } catch (error) {
    return { kind: "refused", reason: describeIssues(unreadIssues(error, order.model)) };
  }
}

async function carryOut(tx: WriteTransaction, { model, owner }: ImportOrder, plan: ImportPlan): Promise<void> {
  if (plan.kind !== "created" && plan.kind !== "updated") return;
  const { body, index, identity } = plan;
  const wasPublished = plan.kind === "updated" && (await tx.records.get(body.id, "published")) !== undefined;
  await tx.records.put(body, index);
  if (body.state === "published") await tx.records.delete(body.id, "draft");
  if (!wasPublished) await updateVersionFlags(tx, body.parent.id, body.id);
  await tx.imports.keep({ model: model.name, owner, key: identity.key }, { id: body.id, digest: identity.digest });
  await tx.audit(OPERATOR, { action: "record.import", ...targetOf(body) });
}

/** A record that a dry run did not make is known to the documents after it all the same. */
function pretend(plan: ImportPlan, made: Map<string, string>, update: boolean): ImportPlan {
  if (plan.kind !== "created") return plan;
  const { key, digest } = plan.identity;
  const before = made.get(key);
  if (before === digest) return { kind: "unchanged", id: plan.body.id };
  if (before !== undefined && !update) {
    return {
      kind: "refused",
      reason: "it differs from an earlier document of the file with the same id; --update writes it",
    };
  }
  made.set(key, digest);
  return before === undefined ? plan : { ...plan, kind: "updated" };
}

/** Counts what became of the documents. */
class Outcomes {
  readonly #counts = { created: 0, updated: 0, unchanged: 0, published: 0, retracted: 0 };
  readonly #refused = makeRefusals();

  add(line: number, plan: ImportPlan): void {
    if (plan.kind === "unchanged") this.#counts.unchanged++;
    else if (plan.kind === "refused") {
      if (plan.isRetracted) this.#counts.retracted++;
      const id = plan.id === undefined ? {} : { id: plan.id };
      this.#refused.add({ line, ...id, reason: plan.reason });
    } else {
      this.#counts[plan.kind]++;
      if (plan.body.state === "published") this.#counts.published++;
      if (plan.reason !== undefined) this.#refused.add({ line, id: plan.body.id, reason: plan.reason });
    }
  }

  summary(): RecordImportSummary {
    return { ...this.#counts, refused: this.#refused.list() };
  }
}
