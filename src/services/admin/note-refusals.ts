import type { AuditEntry } from "../../core/audit-entry.js";
import { LIMITS } from "../../core/limits.js";
import { parseRecordId } from "../../core/record-id.js";
import type { RecordReader } from "../../ports/store.js";
import type { AdminServices } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";

/** Old lines are looked for once in so many new ones. */
const LINES_BETWEEN_DROPS = 1_000;

/** Writes refused requests into the audit log, which keeps a bounded number of them. */
export function makeNoteRefusals({ store }: Deps): AdminServices["noteRefusals"] {
  let sinceDrop = 0;
  return async (refusals) => {
    const noted: (typeof refusals)[number][] = [];
    for (const refusal of refusals) if (await isRefusal(store.records, refusal.entry)) noted.push(refusal);
    if (noted.length === 0) return;
    await store.transaction(async (tx) => {
      for (const { actor, entry } of noted) await tx.audit(actor, entry);
      if (sinceDrop + noted.length >= LINES_BETWEEN_DROPS) await tx.dropRefusals(LIMITS.refusalsKeptMax);
    });
    sinceDrop = (sinceDrop + noted.length) % LINES_BETWEEN_DROPS;
  };
}

/** A record that was not found is refused where its id is somebody's; else it is a slip. */
async function isRefusal(records: RecordReader, { refused, id }: AuditEntry): Promise<boolean> {
  if (refused !== "RECORD_NOT_FOUND") return true;
  const known = id === undefined ? undefined : parseRecordId(id);
  return known !== undefined && records.isTaken(known);
}
