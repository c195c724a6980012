/** Comments of the generated types: a schema's title and help, and what the type itself cannot say. */

const WIDTH = 116;

/** A doc comment with its line end; "" where there is nothing to say. `help` and `notes` are whole sentences. */
export function comment({ title, help, notes = [], indent = "" }) {
  const said = [title?.replace(/\.?$/, "."), help, ...notes];
  const text = said.filter(Boolean).join(" ").replaceAll("*/", "* /");
  if (text === "") return "";
  if (text.length + indent.length + 7 <= WIDTH) return `${indent}/** ${text} */\n`;
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1).length + word.length + indent.length + 4 > WIDTH) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

/** Sentences about a schema: what is cited, formats, bounds. Its allowed values are in the type. */
export function notesOf(schema) {
  const of = typeof schema.items === "object" ? schema.items : schema;
  const vocabulary = of["x-vocabulary"]?.name;
  const list = of["x-reference"]?.to.replace(/^metadata\./, "");
  const notKnown = schema["x-not-known"];
  const help = schema.description ?? "";
  return [
    vocabulary && `Cites ${vocabulary}.`,
    list && `Refers to ${list}.`,
    schema.type === "integer" && "A whole number.",
    schema.format && !/\d{4}-\d\d-\d\d/.test(help) && (FORMATS[schema.format] ?? `Format: ${schema.format}.`),
    ...boundsOf(schema),
    notKnown !== undefined && !help.includes("not known") && `${notKnown}: not known.`,
  ].filter(Boolean);
}

const FORMATS = {
  date: "A date: 2026-11-21.",
  "date-time": "A time: 2026-11-21T10:00:00Z.",
  uri: "A URI, with its scheme.",
};

function boundsOf(schema) {
  const notKnown = schema["x-not-known"];
  const leastKnown = schema.not?.exclusiveMaximum; // No other `not` stands at a number.
  const [least, most] = [schema.minimum === notKnown ? leastKnown : schema.minimum, schema.maximum];
  if (least !== undefined && most !== undefined) return [`From ${least} to ${most}.`];
  const bounds = [
    ["At least", least],
    ["At most", most],
    ["More than", schema.exclusiveMinimum],
    ["Less than", schema.exclusiveMaximum],
    ["At least", schema.minItems, "item"],
    ["At most", schema.maxItems, "item"],
    ["At least", schema.minLength > 1 ? schema.minLength : undefined, "character"],
    ["At most", schema.maxLength, "character"],
  ];
  return bounds
    .filter(([, count]) => count !== undefined)
    .map(
      ([words, count, unit]) => `${words} ${count}${unit === undefined ? "" : ` ${unit}${count === 1 ? "" : "s"}`}.`,
    );
}
