import { closeSync, openSync, writeSync } from "node:fs";
import type { ImportSummary, SyncOptions } from "../services/api/import-services.js";

type Reported = Parameters<NonNullable<SyncOptions["report"]>>[0];

/** UTF-16 units that are written in one go. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Runs a load that reports what becomes of each item into a file of JSON lines; what was refused comes last. Without a
 * file it is just run.
 * @throws Error where the file cannot be written
 */
export async function withReport<T extends Pick<ImportSummary, "refused">>(
  file: string | undefined,
  load: (options: Pick<SyncOptions, "report">) => Promise<T>,
): Promise<T> {
  if (file === undefined) return load({});
  const output = openOutput(file);
  let text = "";
  const write = (line: object): void => {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < CHUNK_LENGTH) return;
    // At once, so that memory does not grow with what is reported.
    writeSync(output, text);
    text = "";
  };
  try {
    const summary = await load({ report: (item: Reported) => write(item) });
    for (const refusal of summary.refused) write({ kind: "refused", ...refusal });
    writeSync(output, text);
    return summary;
  } finally {
    closeSync(output);
  }
}

function openOutput(file: string): number {
  try {
    return openSync(file, "w");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") throw new Error(`${file} is a folder. Name a file.`);
    throw new Error(`The report ${file} cannot be written: ${(error as Error).message}`);
  }
}
