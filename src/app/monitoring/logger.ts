import { type Logger, pino } from "pino";
import { Counter, type Registry } from "prom-client";
import type { BackgroundReporter } from "../../core/background.js";
import { hideSecrets, printableJson, printableLine, printableText } from "../../core/printing/safe-text.js";
import { makeLineOutput, openStdout } from "./log-output.js";

/** The log of a process, with plain lines for people. */
export interface Log {
  readonly logger: Logger;
  /** Writes one plain line at any level of the log. */
  print(line: string): void;
  /** Begins to report whether lines can be written, and to count dropped lines. */
  reportTo(background: BackgroundReporter, registry?: Registry): void;
  /** Waits until all lines are written, for a short time at most. */
  close(): Promise<void>;
  /** Writes as many lines as possible at once, because the process ends now. */
  flushNow(): void;
}

const LEVELS = new Map([
  [10, "TRACE"],
  [20, "DEBUG"],
  [30, "INFO"],
  [40, "WARN"],
  [50, "ERROR"],
  [60, "FATAL"],
]);

/**
 * Makes the log of this process on stdout: JSON lines for machines, short lines on a terminal. Tokens are masked in
 * every line. Requests never wait for the log: lines that cannot be written are dropped, and their number is logged
 * once lines can be written again.
 */
export function makeLog(level: string, isTerminal: boolean = process.stdout.isTTY): Log {
  let background: BackgroundReporter | undefined;
  let dropped = 0;
  let counter: Counter | undefined;
  const out = makeLineOutput(openStdout(), {
    onFailure: (reason) => background?.onBackgroundError("log", describeFailure(reason)),
    onDropped: () => {
      dropped += 1;
      counter?.inc();
    },
    onRestored: (lost) => {
      background?.onBackgroundSuccess("log");
      if (lost > 0)
        logger.warn({ dropped: lost }, `${lost} log lines were dropped because standard output could not take them.`);
    },
  });
  const target = isTerminal ? { write: (line: string) => out.write(formatLine(line)) } : out;
  const logger = pino(
    { level, base: null, hooks: { streamWrite: (line) => printableJson(hideSecrets(line)) } },
    target,
  );
  return {
    logger,
    print: (line) => {
      out.write(`${printableText(line)}\n`);
      out.flush();
    },
    reportTo: (reporter, registry) => {
      background = reporter;
      if (registry === undefined) return;
      counter = new Counter({
        name: "bindery_log_lines_dropped_total",
        help: "Log lines that were dropped because standard output could not take them.",
        registers: [registry],
      });
      counter.inc(dropped);
    },
    close: () => out.close(),
    flushNow: () => out.flushNow(),
  };
}

function describeFailure(reason: string): Error {
  return new Error(
    `The log cannot be written to standard output: ${reason}. Log lines that do not fit into memory are dropped and ` +
      "counted. Free space on the disk, or restart the reader of the log.",
  );
}

/** Formats a JSON line as `12:00:01 WARN  Message {"other":"fields"}`, with the stack of an error below it. */
export function formatLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & { err?: { stack?: string } };
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const fields = Object.keys(rest).length === 0 ? "" : ` ${printableJson(JSON.stringify(rest))}`;
  const stack = err?.stack === undefined ? "" : `\n${printableText(err.stack)}`;
  const label = (LEVELS.get(Number(level)) ?? "LOG").padEnd(5);
  return `${clock} ${label} ${printableLine(String(msg ?? ""))}${fields}${stack}\n`;
}
