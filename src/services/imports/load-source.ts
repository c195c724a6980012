import { stat } from "node:fs/promises";
import type { AuditEntry } from "../../core/audit-entry.js";
import { dumpFiles } from "../../formats/dumps/read-dump.js";
import type { LoadOptions, LoadSummary, TermLine } from "../../ports/store.js";
import type { DocumentBatch, ImportReadServices, ImportSource, ImportSummary, ParsedDocument } from "../api/imports.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { makeReadImport } from "./read-import.js";

/** Maximum number of refusals that are kept, to limit memory. Further ones are only counted. */
const REFUSALS_MAX = 100_000;

interface SourceOptions
  extends Pick<LoadOptions, "addsOnly" | "authority" | "dryRun" | "onIndexed" | "refusesOtherIds" | "report"> {
  /** Name of the source. A later load recognizes the terms of the same source by it. */
  readonly source?: string;
  /** Whether the source is complete, so that terms which it no longer has are withdrawn. */
  readonly sync?: boolean;
  /** Whether valid terms are loaded if others are refused. */
  readonly skipRefused?: boolean;
  /** Called before a batch of terms, with the progress so far. */
  onRead?(read: DocumentBatch): void;
}

/**
 * Loads the terms of a source into its vocabulary: all of them, or none if one is refused.
 * @returns `isLoaded`: false for a dry run and for a refused source
 * @throws PARAMETER_INVALID if the source cannot be read to its end and `skipRefused` would hide that
 */
export async function loadSource(
  deps: Deps,
  source: ImportSource & { readonly kind: "terms" },
  { skipRefused = false, sync = false, onRead, ...options }: SourceOptions,
): Promise<{ readonly summary: ImportSummary; readonly isLoaded: boolean }> {
  const { vocabulary, file } = source;
  const refusals = makeRefusals();
  let count = 0;
  const items = async function* (): AsyncGenerator<TermLine> {
    for await (const read of readAhead(deps, source, onRead)) {
      if (!("reason" in read)) {
        count += 1;
        yield read;
        continue;
      }
      const { line, reason, isEnd } = read;
      refusals.add({ line, reason });
      if (isEnd && skipRefused) throw unreadable(file, line, reason);
    }
    if (sync && count === 0 && refusals.count() === 0) throw nothingToSync(file);
  };
  const summary = await deps.store.loadTerms(vocabulary, items(), {
    ...options,
    auditEntry: importEntry(vocabulary),
    // Repeated ids are already refused.
    isUnique: true,
    refuse: (line, reason) => refusals.add({ line, reason }),
    isWanted: () => skipRefused || refusals.count() === 0,
    // A refused term must not be withdrawn.
    ...(sync ? { withdraws: () => refusals.count() === 0 } : {}),
  });
  const refused = refusals.list();
  if (options.dryRun) return { summary: { ...summary, refused }, isLoaded: false };
  const isRefused = refused.length > 0 && !skipRefused;
  return { summary: { ...summary, ...(isRefused ? NOTHING_LOADED : {}), refused }, isLoaded: !isRefused };
}

/** Returns the audit entry of a load. */
export const importEntry = (vocabulary: string): AuditEntry => ({
  action: "term.import",
  kind: "term",
  place: vocabulary,
});

const NOTHING_LOADED: LoadSummary = {
  new: 0,
  changed: 0,
  unchanged: 0,
  merged: 0,
  withdrawn: 0,
  renamed: 0,
  kept: 0,
  redirects: 0,
  lost: { parent: 0, synonyms: 0, title: {}, props: {} },
  examples: [],
};

function unreadable(file: string, line: number, reason: string): Error {
  return badParameter("file", `${file} cannot be read to its end (line ${line}: ${reason}); nothing was loaded.`, file);
}

const nothingToSync = (file: string): Error =>
  badParameter("file", `${file} has no terms; a sync with it would withdraw all that came from its source.`, file);

interface Refusal {
  readonly line: number;
  readonly id?: string;
  readonly reason: string;
}

/** Creates a list of refusals, which keeps the first REFUSALS_MAX and counts the others. */
export function makeRefusals(): { add(refusal: Refusal): void; count(): number; list(): readonly Refusal[] } {
  const kept: Refusal[] = [];
  let count = 0;
  return {
    add: (refusal) => {
      count++;
      if (kept.length < REFUSALS_MAX) kept.push(refusal);
    },
    count: () => count,
    list: () => {
      const inOrder = kept.toSorted((a, b) => a.line - b.line);
      if (count <= kept.length) return inOrder;
      return [...inOrder, { line: inOrder.at(-1)!.line, reason: `and ${count - kept.length} more` }];
    },
  };
}

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
  onRead?: (read: DocumentBatch) => void,
): AsyncGenerator<ParsedDocument<Kind>> {
  const { openImport, readImport, closeImport } = await chooseReader(deps, source);
  const opened = await openImport(source);
  const requestBatch = (): Promise<DocumentBatch | undefined> => {
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
      yield* batch.documents as readonly ParsedDocument<Kind>[];
    }
  } finally {
    await closeImport(opened);
  }
}

async function chooseReader(deps: Deps, { file }: ImportSource): Promise<ImportReadServices> {
  const { readElsewhere } = deps;
  if (readElsewhere === undefined) return makeReadImport(deps);
  // The reader reports a file that cannot be opened.
  const isSmall = await isSmallDump(file).catch(() => true);
  return isSmall ? makeReadImport(deps) : readElsewhere;
}

/**
 * Returns whether a file, or all files of a folder together, are small. The size of a pipe is unknown, so it counts as
 * large.
 */
async function isSmallDump(path: string): Promise<boolean> {
  let bytes = 0;
  for (const { file } of await dumpFiles(path)) {
    const stats = await stat(file);
    if (stats.isFIFO()) return false;
    bytes += stats.size;
  }
  return bytes < READ_HERE_BYTES_MAX;
}
