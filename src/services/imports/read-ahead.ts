import { stat } from "node:fs/promises";
import { dumpFiles } from "../../formats/dumps/read-dump.js";
import type { ImportReadServices, ImportSource, ReadDocument, ReadDocuments } from "../api/imports.js";
import type { Deps } from "../context/deps.js";
import { makeReadImport } from "./read-import.js";

/** Size up to which a source is read on this thread: starting another one would take longer than it saves. */
const READ_HERE_BYTES_MAX = 8 * 1024 * 1024;

/** Number of batches that are requested before they are needed. */
const AHEAD = 10;

/**
 * Reads the documents of a source. A large source is read and prepared on another thread.
 * @param onRead called before a batch of documents, with the progress so far
 */
export async function* readAhead<Kind extends ImportSource["kind"]>(
  deps: Deps,
  source: ImportSource & { readonly kind: Kind },
  onRead?: (read: ReadDocuments) => void,
): AsyncGenerator<ReadDocument<Kind>> {
  const { openImport, readImport, closeImport } = await readerOf(deps, source);
  const opened = await openImport(source);
  const requestBatch = (): Promise<ReadDocuments | undefined> => {
    const batch = readImport(opened);
    // Avoids an unhandled rejection: the error is thrown when the batch is awaited.
    batch.catch(() => undefined);
    return batch;
  };
  const batches = Array.from({ length: AHEAD }, requestBatch);
  try {
    for (;;) {
      const batch = await batches.shift();
      if (batch === undefined) return;
      batches.push(requestBatch());
      onRead?.(batch);
      yield* batch.documents as readonly ReadDocument<Kind>[];
    }
  } finally {
    await closeImport(opened);
  }
}

async function readerOf(deps: Deps, { file }: ImportSource): Promise<ImportReadServices> {
  const { readElsewhere } = deps;
  if (readElsewhere === undefined) return makeReadImport(deps);
  // The reader reports a file that cannot be opened.
  const isSmall = await isSmallDump(file).catch(() => true);
  return isSmall ? makeReadImport(deps) : readElsewhere;
}

/** Is a file, or are all files of a folder together, small? The size of a pipe is unknown, so it counts as large. */
async function isSmallDump(path: string): Promise<boolean> {
  let bytes = 0;
  for (const { file } of await dumpFiles(path)) {
    const stats = await stat(file);
    if (stats.isFIFO()) return false;
    bytes += stats.size;
  }
  return bytes < READ_HERE_BYTES_MAX;
}
