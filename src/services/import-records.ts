import { OPERATOR } from "../core/actor.js";
import type { Model } from "../core/catalog/types.js";
import type { RecordBody } from "../core/record.js";
import { formatInstant, parseInstant } from "../core/time.js";
import type { FileDocument } from "../formats/documents.js";
import type { WriteTransaction } from "../ports/store.js";
import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import { badParameter } from "./issues.js";
import { openImport } from "./open-import.js";
import { prepareMetadata } from "./prepare-metadata.js";
import { describeIssues, readDocument } from "./read-document.js";
import { freshId, newDraft, publishedOf, targetOf } from "./record-body.js";
import type { OperatorServices } from "./services.js";

/** A transaction ends after this long: others wait for it. */
const TRANSACTION_MICROS_MAX = 40_000;
/** Records that wait for their transaction. */
const QUEUE_MAX = 100;

type Summary = Awaited<ReturnType<OperatorServices["importRecords"]>>;

/**
 * Makes a record of each document of a file: `{"metadata": {...}}`, or the metadata itself. With `publish` those
 * without a problem are published; the others stay drafts and are reported. Committed in short transactions.
 */
export function makeImportRecords(deps: Deps): OperatorServices["importRecords"] {
  const { store, catalog, clock } = deps;
  return async ({ model: modelName, file, owner: ownerName, publish, onProgress }) => {
    const model = findModel(catalog, modelName);
    const owner = await store.users.findUser(ownerName);
    if (owner === undefined) throw badParameter("owner", `There is no user ${ownerName}; add one first.`, ownerName);
    const counts = { created: 0, published: 0 };
    const refused: Summary["refused"][number][] = [];
    const queue: FileDocument[] = [];

    const importSome = async (tx: WriteTransaction): Promise<void> => {
      const until = clock.nowMicros() + TRANSACTION_MICROS_MAX;
      const start = parseInstant(tx.now);
      for (let n = 0; queue.length > 0 && (n === 0 || clock.nowMicros() < until); n++) {
        const document = queue.shift()!;
        // Each record has an instant of its own, in the order of the file.
        const now = formatInstant(start + n);
        const { kept, reason } = await importOne(deps, tx, { model, owner: owner.id, publish, now }, document);
        if (kept !== undefined) counts.created++;
        if (kept?.state === "published") counts.published++;
        const id = kept === undefined ? {} : { id: kept.id };
        if (reason !== undefined) refused.push({ line: document.line, ...id, reason });
      }
    };
    const drain = async (): Promise<void> => {
      while (queue.length > 0) await store.transaction(importSome);
    };
    for await (const document of openImport(file, onProgress)) {
      queue.push(document);
      if (queue.length >= QUEUE_MAX) await drain();
    }
    await drain();
    return { ...counts, refused };
  };
}

interface Order {
  readonly model: Model;
  readonly owner: string;
  readonly publish: boolean;
  readonly now: string;
}

/** What became of a document: a record or a draft, and why it is not all that was wanted. */
interface Done {
  readonly kept?: RecordBody;
  readonly reason?: string;
}

async function importOne(
  deps: Deps,
  tx: WriteTransaction,
  { model, owner, publish, now }: Order,
  document: FileDocument,
): Promise<Done> {
  const sent = readDocument(document, model);
  if ("unread" in sent) return { reason: describeIssues(sent.unread) };
  const { metadata, cited, issues } = await prepareMetadata(deps, tx.terms, model, sent);
  const parent = await freshId(tx.records, deps.random);
  const id = await freshId(tx.records, deps.random, parent);
  const draft = newDraft({ id, parent, owner, model: model.name, now, metadata, issues });
  const isValid = issues.length === 0;
  const kept = publish && isValid ? publishedOf(draft, metadata, { now, revision: 1 }) : draft;
  await tx.records.put(kept, cited);
  await tx.audit(OPERATOR, { action: "record.import", ...targetOf(kept) });
  return publish && !isValid ? { kept, reason: describeIssues(issues) } : { kept };
}
