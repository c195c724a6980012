import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { eraseLine } from "./output.js";

/** A bar of the bytes of a file that were read so far, on a terminal only. */
export interface Progress {
  readonly onProgress: (bytesRead: number) => void;
  /** Makes room for a line on the same terminal; the bar comes back by itself. */
  readonly hide: () => void;
}

/** Runs `work` beside a bar of what was read of a file. @throws where the file is not there */
export async function withProgress<T>(file: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  const hide = process.stderr.isTTY ? eraseLine : () => undefined;
  const format = "{bar} {percentage} % of {file} | {duration_formatted}";
  return withBar({ format, total: size, payload: { file } }, (onProgress) => work({ onProgress, hide }));
}

/**
 * Runs `work` with a bar on stderr, on a terminal only.
 * @param format as cli-progress has it; `payload` fills its other names
 */
export async function withBar<T>(
  { format, total, payload = {} }: { format: string; total: number; payload?: object },
  work: (update: (done: number, payload?: object) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return work(() => undefined);
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
  bar.start(total, 0, payload);
  try {
    return await work((done, changed) => bar.update(Math.min(done, total), changed));
  } finally {
    bar.stop();
  }
}
