import { stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { printableLine } from "../core/printing/printable.js";
import type { AdminOperatorServices } from "../services/api/admin-services.js";
import { eraseLine, formatNumber, writeError } from "./output.js";

/** How often a line says how far the work is, if there is no terminal for a bar. */
const LINE_EVERY_MS = 10_000;

/** How far the reading of a file is: a bar on a terminal, else a line from time to time. */
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
  return withBar({ format, total: size, payload: { file: printableLine(file) } }, (onProgress) =>
    work({ onProgress, hide }),
  );
}

/** What tells how far a load is: first reading a dump, then indexing its items. */
interface Phases {
  onProgress(bytesRead: number, bytes: number): void;
  onIndexed(done: number, all: number): void;
}

/** Runs `work` with a bar, or lines, for each of its phases, one after the other, with rate and time left. */
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

/** A bar that begins with its first update. @param size of a unit of its rate */
function makeRateBar(
  what: string,
  unit: string,
  size: number,
): { update(done: number, all: number): void; stop(): void } {
  const format = `{bar} {percentage} % ${what} | {rate} ${unit}/s | {eta_formatted} left`;
  let bar: Bar | undefined;
  let begun = 0;
  return {
    update(done, all) {
      if (bar === undefined) {
        bar = makeBar(format);
        begun = performance.now();
        bar.start(all, 0, { rate: "-" });
      }
      const rate = done / size / Math.max(0.001, (performance.now() - begun) / 1_000);
      bar.update(Math.min(done, all), { rate: rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en-US") });
    },
    stop: () => bar?.stop(),
  };
}

/** What shows progress; names of its format that are not of cli-progress stand in `payload`. */
interface Bar {
  start(total: number, done: number, payload?: object): void;
  update(done: number, payload?: object): void;
  stop(): void;
}

/** A bar on stderr if that is a terminal, else lines there, each some seconds after the one before. */
function makeBar(format: string): Bar {
  if (process.stderr.isTTY) {
    return new SingleBar({ format, stream: process.stderr, clearOnComplete: true, hideCursor: true });
  }
  const begun = performance.now();
  let last = begun;
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
      const seconds = (now - begun) / 1_000;
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
 * Runs `work` with a bar on stderr, or lines if that is no terminal.
 * @param format as cli-progress has it; `payload` fills its other names
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

type OnProgress = Parameters<AdminOperatorServices["verifyStore"]>[0];

/** Runs `work` with a line of what it does just now. */
export function withStages<T>(work: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const payload = { what: "", count: "" };
  return withBar({ format: "{what} {count} | {duration_formatted}", total: 1, payload }, (update) =>
    work(({ what, done, of }) => {
      const count = [done, of].filter((n) => n > 0).map(formatNumber);
      update(0, { what, count: count.join(" of ") });
    }),
  );
}
