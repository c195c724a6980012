/** A table in Markdown; all but the first column are numbers. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = columns.map((_, n) => (n === 0 ? "---" : "---:"));
  return [columns, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** A figure to reach, in bold where it is missed; nothing where there is none. */
export function toReach(figure: number | undefined, isReached: boolean): string {
  if (figure === undefined) return "";
  return isReached ? `${figure}` : `**${figure}**`;
}

export function count(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
}
