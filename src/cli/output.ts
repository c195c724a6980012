import { constants } from "node:os";
import { END_SIGNALS } from "../app/processes/signals.js";
import { greatestOf } from "../core/collections.js";
import { printableJson, printableLine, printableText } from "../core/printing/printable.js";

/**
 * Writes one line, or several, on stdout. Only results go there, so that they can be piped. Titles, ids and file names
 * come from other people: here they are escaped, so that none controls the terminal or adds a line.
 */
export function writeOut(lines: string | readonly string[]): void {
  for (const line of [lines].flat()) process.stdout.write(`${printableLine(line)}\n`);
}

/** Writes data with line ends: unchanged into a file or a pipe, escaped on a terminal. */
export function writeText(text: string): void {
  process.stdout.write(process.stdout.isTTY ? printableText(text.replaceAll("\r\n", "\n")) : text);
}

/** Writes one line, or several, on stderr. */
export function writeError(lines: string | readonly string[]): void {
  for (const line of [lines].flat()) process.stderr.write(`${printableLine(line)}\n`);
}

/** Erases the current line of the terminal. */
export function eraseLine(): void {
  process.stderr.write("\r\u001b[K");
}

/**
 * Runs `work`, and ends the program in order if a signal asks for it meanwhile: files that are not finished are removed
 * (see `noteUnfinished`). A step of SQLite that runs is finished before.
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
 * Ends the program with 1 once it cannot print: without a word if the reader has ended (`bindery ... | head`). What
 * stderr does not take is lost, and the work goes on.
 */
export function endWithReader(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") writeError(`What this prints cannot be written: ${error.message}.`);
    process.exit(1);
  });
}

export function writeJson(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Writes a value as a line of JSON lines. */
export function writeJsonLine(value: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(value))}\n`);
}

/** Lines of a table, with columns as wide as their widest cell; the first row is the heading. */
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

/** `1,234` */
export function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** `812 bytes`, `4.1 MB`: a thousand of one unit are the next one. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return step === 0 ? formatCount(bytes, "byte") : `${(bytes / 1_000 ** step).toFixed(1)} ${UNITS[step]}`;
}

/** `1 item`, `1,234 items`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
