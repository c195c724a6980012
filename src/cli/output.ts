import { greatestOf } from "../core/arrays.js";

/** What commands print: answers on stdout, so that they can be piped, and everything else on stderr. */

export function writeOut(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes text that has its line ends already. */
export function writeText(text: string): void {
  process.stdout.write(text);
}

export function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Takes away what stands on the terminal's current line. */
export function eraseLine(): void {
  process.stderr.write("\r\u001b[K");
}

/** Ends the program once it cannot print: without a word where nobody reads any more (`bindery ... | head`). */
export function endWithReader(): void {
  process.stdout.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") writeError(`What this prints cannot be written: ${error.message}.`);
    process.exit(1);
  });
}

export function writeJson(value: unknown): void {
  writeOut(JSON.stringify(value, null, 2));
}

/** Columns as wide as their widest cell; the first row is the heading. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => greatestOf(rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
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
