import { constants } from "node:os";
import { END_SIGNALS } from "../app/processes/signals.js";
import { greatestOf } from "../core/collections.js";
import { printableJson, printableLine, printableText } from "../core/printing/safe-text.js";

/**
 * Writes lines to stdout, which contains only results, so that they can be piped. Escapes control characters, because
 * titles, ids and file names come from other people and must not control the terminal or add lines.
 */
export function writeOut(lines: string | readonly string[]): void {
  for (const line of [lines].flat()) process.stdout.write(`${printableLine(line)}\n`);
}

/** Writes text with line ends to stdout: unchanged into a file or a pipe, escaped on a terminal. */
export function writeText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? printableText(text.replaceAll("\r\n", "\n")) : text);
}

/** Writes lines to stderr, escaped as in `writeOut`. */
export function writeError(lines: string | readonly string[]): void {
  for (const line of [lines].flat()) process.stderr.write(`${printableLine(line)}\n`);
}

/** Erases the current line of the terminal. */
export function eraseLine(): void {
  process.stderr.write("\r\u001b[K");
}

/**
 * Runs `work` and exits cleanly on a signal: it removes unfinished files (see `noteUnfinished`) and first completes the
 * current step of SQLite.
 */
export async function endingOnSignals<T>(work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals): void => {
    writeError(`Ended by ${signal} before it was done.`);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of END_SIGNALS) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, end);
  }
}

/**
 * Makes the program exit with 1 if it cannot write to stdout, without a message if the reader has ended
 * (`bindery ... | head`). Errors of stderr are ignored.
 */
export function endWithReader(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") writeError(`The output cannot be written: ${error.message}.`);
    process.exit(1);
  });
}

/** Writes a value to stdout as indented JSON. */
export function writeJson(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Writes a value to stdout as one line of JSON. */
export function writeJsonLine(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);
}

/** Formats a table whose columns are as wide as their widest cell. The first row is the heading. */
export function formatTable(table: readonly (readonly string[])[]): readonly string[] {
  const rows = table.map((row) => row.map(printableLine));
  const widths = (rows[0] ?? []).map((_, column) => greatestOf(rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Formats a count: `1,234`. */
export function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Formats a size with decimal units: `812 bytes`, `4.1 MB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return step === 0 ? formatCount(bytes, "byte") : `${(bytes / 1_000 ** step).toFixed(1)} ${UNITS[step]}`;
}

/** Formats a count with its noun: `1 term`, `1,234 terms`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
