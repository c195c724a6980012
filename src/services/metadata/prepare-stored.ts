import type { StoredRecord } from "../../core/record.js";
import type { TermReader } from "../../ports/store.js";
import type { PrepareJob } from "../api/prepare-services.js";
import type { Deps } from "../context/deps.js";
import { type Current, upToDate } from "./prepare-record.js";

/**
 * Prepares what will be written of a stored record, before the transaction.
 * @param seen absent: nothing will be written of it, as far as can be seen
 * @returns for the transaction: what was prepared; where the record or its terms are others by then, it is done again
 */
export async function prepareStored(
  deps: Deps,
  kind: Exclude<PrepareJob["kind"], "sent">,
  seen: StoredRecord | undefined,
): Promise<(terms: TermReader, record: StoredRecord) => Promise<Current>> {
  const jobOf = ({ model, json: text }: StoredRecord): PrepareJob => ({ kind, model, text });
  const prepared = seen && (await deps.prepare(jobOf(seen)));
  const lookedUp = prepared?.kind === "ready" ? prepared.lookedUp : [];
  return (terms, record) => {
    const isSeen = record.id === seen?.id && record.state === seen.state && record.revision === seen.revision;
    // Another revision cites much the same; nobody is asked in a transaction.
    return upToDate(deps, terms, { ...jobOf(record), lookedUp }, isSeen ? prepared : undefined);
  };
}
