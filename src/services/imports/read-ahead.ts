import { stat } from "node:fs/promises";
import { dumpFiles } from "../../formats/dumps/read-dump.js";
import type { ImportReadServices, ImportSource, ReadDocument, ReadDocuments } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { makeReadImport } from "./read-import.js";

/** With fewer bytes, starting a thread and passing on what it has read takes longer than is gained by it. */
const READ_HERE_BYTES_MAX = 8 * 1024 * 1024;

/** What is asked for before it is needed. */
const AHEAD = 10;

/**
 * The documents of a source, read and prepared on another thread where that is worth it.
 * @param onRead called for some documents before they come, with what was read so far
 */
export async function* readAhead<Kind extends ImportSource["kind"]>(
  deps: Deps,
  source: ImportSource & { readonly kind: Kind },
  onRead?: (read: ReadDocuments) => void,
): AsyncGenerator<ReadDocument<Kind>> {
  const { openImport, readImport, closeImport } = await readerOf(deps, source);
  const opened = await openImport(source);
  const ask = (): Promise<ReadDocuments | undefined> => {
    const asked = readImport(opened);
    // What fails is seen when its turn comes.
    asked.catch(() => undefined);
    return asked;
  };
  const asked = Array.from({ length: AHEAD }, ask);
  try {
    for (;;) {
      const read = await asked.shift();
      if (read === undefined) return;
      asked.push(ask());
      onRead?.(read);
      yield* read.documents as readonly ReadDocument<Kind>[];
    }
  } finally {
    await closeImport(opened);
  }
}

async function readerOf(deps: Deps, { file }: ImportSource): Promise<ImportReadServices> {
  const { readElsewhere } = deps;
  if (readElsewhere === undefined) return makeReadImport(deps);
  // What cannot be opened is told by who reads it.
  const isSmall = await isSmallDump(file).catch(() => true);
  return isSmall ? makeReadImport(deps) : readElsewhere;
}

/** Has a file, or have all files of a folder, so few bytes? Of a pipe nobody knows; a device is refused at once. */
async function isSmallDump(path: string): Promise<boolean> {
  let bytes = 0;
  for (const { file } of await dumpFiles(path)) {
    const stats = await stat(file);
    if (stats.isFIFO()) return false;
    bytes += stats.size;
  }
  return bytes < READ_HERE_BYTES_MAX;
}
