/** Pieces of the generated pages. */

const MADE = "<!-- Made from the code by `npm run docs`; edit it there. -->";

/** Text as it may stand in a cell of a table. */
export const cell = (text) =>
  String(text).replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", " ");

/** Text as code in a cell of a table. */
export const code = (text) => `\`${String(text).replaceAll("|", "\\|")}\``;

export const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

export const page = (title, intro, blocks) => `${[`# ${title}`, MADE, intro, ...blocks].join("\n\n")}\n`;
