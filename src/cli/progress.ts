import { SingleBar } from "cli-progress";

/**
 * Runs `work` with a bar on stderr, on a terminal only.
 * @param format as cli-progress has it; `payload` fills its other names
 */
export async function withBar<T>(
  { format, total, payload = {} }: { format: string; total: number; payload?: object },
  work: (update: (done: number) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return work(() => undefined);
  const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
  bar.start(total, 0, payload);
  try {
    return await work((done) => bar.update(Math.min(done, total)));
  } finally {
    bar.stop();
  }
}
