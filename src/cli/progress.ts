import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { printableLine } from "../core/printing/safe-text.js";
import type { OperatorServices } from "../services/use-cases.js";
import { eraseLine, formatNumber, writeError } from "./output.js";

/** Time between two lines of progress if there is no terminal for a bar, in milliseconds. */
const LINE_EVERY_MS = 10_000;

/** Progress of reading a file: a bar on a terminal, or else a line from time to time. */
interface FileProgress {
  readonly onProgress: (bytesRead: number) => void;
  /** Erases the bar, so that a line can be printed on the same terminal. The next update draws the bar again. */
  readonly hide: () => void;
}

/** Runs `work` with a bar that shows how much of a file was read. @throws Error if the file cannot be read */
export async function withProgress<T>(file: string, work: (progress: FileProgress) => Promise<T>): Promise<T> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  const hide = process.stderr.isTTY ? eraseLine : () => undefined;
  const format = "{bar} {percentage} % of {file} | {duration_formatted}";
  return withBar({ format, total: size, payload: { file: printableLine(file) } }, (onProgress) =>
    work({ onProgress, hide }),
  );
}

/** Progress of a load: first of reading a dump, then of indexing its terms. */
interface Phases {
  onProgress(bytesRead: number, bytes: number): void;
  onIndexed(done: number, all: number): void;
}

/** Runs `work` with a bar or lines for each of its phases, which show rate and remaining time. */
export async function withPhases<T>(file: string, work: (phases: Phases) => Promise<T>): Promise<T> {
  const bars = {
    read: makeRateBar(`of ${printableLine(file)} read`, "MB", 1e6),
    indexed: makeRateBar("of the terms indexed", "terms", 1),
  };
  try {
    return await work({
      onProgress: (done, all) => bars.read.update(done, all),
      onIndexed: (done, all) => {
        bars.read.stop();
        bars.indexed.update(done, all);
      },
    });
  } finally {
    bars.read.stop();
    bars.indexed.stop();
  }
}

/** Makes a bar that starts with its first update. @param size number of steps in a unit of the rate */
function makeRateBar(
  what: string,
  unit: string,
  size: number,
): { update(done: number, all: number): void; stop(): void } {
  const format = `{bar} {percentage} % ${what} | {rate} ${unit}/s | {eta_formatted} left`;
  let bar: Bar | undefined;
  let started = 0;
  return {
    update(done, all) {
      if (bar === undefined) {
        bar = makeBar(format);
        started = performance.now();
        bar.start(all, 0, { rate: "-" });
      }
      const rate = done / size / Math.max(0.001, (performance.now() - started) / 1_000);
      bar.update(Math.min(done, all), { rate: rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en-US") });
    },
    stop: () => bar?.stop(),
  };
}

/** Display of progress. `payload` has the values of names in the format that cli-progress does not define. */
interface Bar {
  start(total: number, done: number, payload?: object): void;
  update(done: number, payload?: object): void;
  stop(): void;
}

/** Makes a bar on stderr if stderr is a terminal. Otherwise progress is printed in lines, `LINE_EVERY_MS` apart. */
function makeBar(format: string): Bar {
  if (process.stderr.isTTY) {
    return new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
  }
  const started = performance.now();
  let last = started;
  let total = 0;
  let payload: Readonly<Record<string, unknown>> = {};
  return {
    start: (all, _, first: object = {}) => {
      [total, payload] = [all, { ...first }];
    },
    update(done: number, changed: object = {}) {
      payload = { ...payload, ...changed };
      const now = performance.now();
      if (now - last < LINE_EVERY_MS) return;
      last = now;
      const seconds = (now - started) / 1_000;
      const left = done > 0 && total > done ? `${Math.ceil((seconds / done) * (total - done))}s` : "-";
      const [percentage, duration_formatted] = [
        total > 0 ? Math.floor((done / total) * 100) : 0,
        `${Math.round(seconds)}s`,
      ];
      const values: Readonly<Record<string, unknown>> = {
        ...payload,
        percentage,
        duration_formatted,
        eta_formatted: left,
      };
      writeError(
        format.replace("{bar} ", "").replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? "")),
      );
    },
    stop: () => undefined,
  };
}

/**
 * Runs `work` with a bar on stderr, or with lines if stderr is not a terminal.
 * @param format format of cli-progress; `payload` has the values of its other names
 */
export async function withBar<T>(
  { format, total, payload = {} }: { format: string; total: number; payload?: object },
  work: (update: (done: number, payload?: object) => void) => Promise<T>,
): Promise<T> {
  const bar = makeBar(format);
  bar.start(total, 0, payload);
  try {
    return await work((done, changed) => bar.update(Math.min(done, total), changed));
  } finally {
    bar.stop();
  }
}

type OnProgress = Parameters<OperatorServices["verifyStore"]>[0];

/** Runs `work` with a line that shows its current stage. */
export function withStages<T>(work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const payload = { what: "", count: "" };
  return withBar({ format: "{what} {count} | {duration_formatted}", total: 1, payload }, (update) =>
    work(({ what, done, of }) => {
      const count = [done, of].filter((n) => n > 0).map(formatNumber);
      update(0, { what, count: count.join(" of ") });
    }),
  );
}
