import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { eraseLine } from "./output.js";

/** A bar of the bytes of a file that were read so far, on a terminal only. */
export interface Progress {
  readonly onProgress: (bytesRead: number) => void;
  /** Makes room for a line on the same terminal; the bar comes back by itself. */
  readonly hide: () => void;
}

/** Runs `work` beside a bar. @throws where the file is not there */
export async function withProgress<T>(file: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  if (!process.stderr.isTTY) return work({ onProgress: () => undefined, hide: () => undefined });
  const format = "{bar} {percentage} % of {file} | {duration_formatted}";
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
  bar.start(size, 0, { file });
  try {
    return await work({ onProgress: (bytes) => bar.update(Math.min(bytes, size)), hide: eraseLine });
  } finally {
    bar.stop();
  }
}
