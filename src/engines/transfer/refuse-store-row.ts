import { type RecordBody, storedBody } from "../../core/record.js";

/** Parses the body of a record that a dump brings. @throws Error that names the record's text */
export function dumpedBody(json: unknown): RecordBody {
  try {
    return storedBody({ id: "", json: String(json) });
  } catch (error) {
    const beginning = String(json).slice(0, 60);
    throw new Error(`The dump has a row of a record that is no record ("${beginning}…"): it is damaged.`, {
      cause: error,
    });
  }
}

/** What a store says that is to be filled with rows of something that its catalog does not have. */
export function refuseStoreRow(kind: "model" | "vocabulary", name: string): Error {
  return new Error(
    `The dump has rows of the ${kind} ${name}, which the catalog does not have. Name the folder that declares it in ` +
      "BINDERY_CATALOG, as the service did that was dumped.",
  );
}
