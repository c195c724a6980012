import { OPERATOR } from "../../core/actor.js";
import { formatInstant, parseInstant } from "../../core/time.js";
import type { WriteTransaction } from "../../ports/store.js";
import type { ParsedRecord, RecordImport, RecordImportSummary, Unreadable } from "../api/imports.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { operatorUseCase } from "../context/use-case.js";
import { userByName } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { describeIssues, unreadIssues } from "../metadata/read-body.js";
import { auditTarget } from "../records/record-body.js";
import { updateVersionFlags } from "../records/versions.js";
import { makeRefusals, readAhead } from "./load-source.js";
import {
  ImportDocument,
  type ImportPlan,
  type ImportSettings,
  type ImportSourceReader,
  planImport,
} from "./plan-import.js";

/** Maximum number of documents that wait for their transaction, and of UTF-16 units of their metadata. */
const QUEUE_MAX = 250;
const QUEUED_LENGTH_MAX = 4 * 1024 * 1024;

/**
 * Imports each document of a file as a record: `{"metadata": {...}}`, or the metadata itself. A document that was
 * imported before belongs to the same record, so another run continues an interrupted one. The import commits short
 * transactions. A file that cannot be read to its end is refused before the first one.
 * @throws PARAMETER_INVALID if the file cannot be opened, or the owner does not exist
 */
export const importRecords = operatorUseCase((deps) => {
  const { store, catalog, clock } = deps;
  return async ({
    model: modelName,
    file,
    owner: ownerName,
    onProgress,
    dryRun = false,
    ...flags
  }: RecordImport): Promise<RecordImportSummary> => {
    const model = findModel(catalog, modelName);
    const owner = await userByName(store.users, ownerName);
    if (owner === undefined) throw badParameter("owner", `There is no user ${ownerName}; add one first.`, ownerName);
    const { publish, update = false, keepDrafts = false } = flags;
    const order: ImportSettings = { model, owner: owner.id, publish, update, keepDrafts };
    const outcomes = new Outcomes();
    const queue: (ImportDocument | Unreadable)[] = [];
    // Digests of the records that a dry run would have created, by key.
    const simulated = new Map<string, string>();

    const importBatch = async (tx: WriteTransaction): Promise<readonly (() => void)[]> => {
      const until = clock.nowMicros() + tx.holdMs * 1_000;
      const start = parseInstant(tx.now);
      const counters: (() => void)[] = [];
      for (let n = 0; n < queue.length && (n === 0 || clock.nowMicros() < until); n++) {
        const document = queue[n]!;
        // Each record gets its own time, in the order of the file.
        const plan = await planOne(deps, tx, order, document, formatInstant(start + n));
        await carryOut(tx, order, plan);
        counters.push(() => outcomes.add(document.line, plan));
      }
      return counters;
    };
    const drain = async (): Promise<void> => {
      while (queue.length > 0) {
        const counters = await store.transaction(importBatch, { length: queueLength(queue) });
        // Outcomes count only after the commit.
        for (const count of counters) count();
        queue.splice(0, counters.length);
      }
    };
    const take = async (read: ParsedRecord | Unreadable): Promise<void> => {
      const document = "reason" in read ? read : new ImportDocument(deps, model.name, read);
      if (dryRun || (await mayExist(store, order, document))) {
        // Planning with the committed state does the slow work before the transaction, which plans again.
        const plan = await planOne(deps, store, order, document, formatInstant(clock.nowMicros()));
        if (dryRun) return outcomes.add(document.line, simulate(plan, simulated, update));
      }
      queue.push(document);
      if (queue.length >= QUEUE_MAX || queueLength(queue) >= QUEUED_LENGTH_MAX) await drain();
    };
    const source = { kind: "records", file, model: model.name } as const;
    for await (const read of readAhead(deps, source, (read) => onProgress?.(read.bytesRead))) await take(read);
    await drain();
    return outcomes.summary();
  };
});

const queueLength = (queue: readonly (ImportDocument | Unreadable)[]): number =>
  queue.reduce((sum, document) => sum + ("reason" in document ? 0 : document.length), 0);

/** Returns whether a record may exist with which the document is compared. */
async function mayExist(
  { imports }: ImportSourceReader,
  { model, owner }: ImportSettings,
  document: ImportDocument | Unreadable,
): Promise<boolean> {
  if ("reason" in document) return false;
  const { id, key } = document.identity;
  return id !== undefined || (await imports.find({ model: model.name, owner, key })) !== undefined;
}

async function planOne(
  deps: Deps,
  reader: ImportSourceReader,
  order: ImportSettings,
  document: ImportDocument | Unreadable,
  now: string,
): Promise<ImportPlan> {
  if ("reason" in document) return { kind: "refused", reason: document.reason };
  try {
    return await planImport(deps, reader, order, document, now);
  } catch (error) {
    return { kind: "refused", reason: describeIssues(unreadIssues(error, order.model)) };
  }
}

async function carryOut(tx: WriteTransaction, { model, owner }: ImportSettings, plan: ImportPlan): Promise<void> {
  if (plan.kind !== "created" && plan.kind !== "updated") return;
  const { body, index, identity } = plan;
  const wasPublished = plan.kind === "updated" && (await tx.records.get(body.id, "published")) !== undefined;
  await tx.records.put(body, index);
  if (body.state === "published") await tx.records.delete(body.id, "draft");
  if (!wasPublished) await updateVersionFlags(tx, body.parent.id, body.id);
  await tx.imports.keep({ model: model.name, owner, key: identity.key }, { id: body.id, digest: identity.digest });
  await tx.audit(OPERATOR, { action: "record.import", ...auditTarget(body) });
}

/** Adjusts the plan of a dry run as if earlier documents of the file had been imported. */
function simulate(plan: ImportPlan, simulated: Map<string, string>, update: boolean): ImportPlan {
  if (plan.kind !== "created") return plan;
  const { key, digest } = plan.identity;
  const earlierDigest = simulated.get(key);
  if (earlierDigest === digest) return { kind: "unchanged", id: plan.body.id };
  if (earlierDigest !== undefined && !update) {
    return {
      kind: "refused",
      reason: "it differs from an earlier document of the file with the same id; --update writes it",
    };
  }
  simulated.set(key, digest);
  return earlierDigest === undefined ? plan : { ...plan, kind: "updated" };
}

/** Counts the outcomes of documents. */
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
