/** Answers about the text of a query: its interpretation, and its completions. */
import { type Static, Type } from "typebox";
import { type Answer, choice, count, json, ref, text } from "../answer.js";
import { Warning } from "../issue.js";

const from = count("Its beginning in `q`, in code points.");
const to = count("The first code point after it.");
const end = Type.Unsafe<number | string>({
  type: ["number", "string"],
  description: "A number, or an instant for a date. Absent if this end is open.",
});

/** Schema of one comparison of a range. */
export const Bound = Type.Object({
  op: choice([">=", ">", "<=", "<", "="]),
  value: text("The number as typed, without its unit.", ["10"]),
  unit: Type.Optional(text("The unit as typed.", ["nM"])),
});
export type Bound = Answer<typeof Bound>;

/** Schema of a part without the parts in it. */
const SinglePart = Type.Object({
  from,
  to,
  kind: choice(["word", "phrase", "field", "range", "quantity", "term", "group", "operator", "dropped"], {
    description:
      "`field` is text in a field, `range` and `quantity` are comparisons without and with a unit, " +
      "`term` is a known id, `group` is a part in brackets, `dropped` is ignored text.",
  }),
  text: text("This part of `q`.", ["kd:<10nM"]),
  field: Type.Optional(text("The name of the field, as typed.", ["kd"])),
  label: Type.Optional(text("The name of the field to display.", ["KD"])),
  element: Type.Optional(text("For a group: path of the list of which one element must match the whole group.")),
  operator: Type.Optional(choice(["AND", "OR", "NOT", "+"])),
  match: Type.Optional(
    choice(["words", "phrase", "prefix", "wildcard", "fuzzy", "exists", "id", "within", "everything"], {
      description: "The kind of match for `value`. Ranges have `bounds` instead.",
    }),
  ),
  value: Type.Optional(text("The text, id or pattern without quotes and escapes.", ["taxid:562"])),
  bounds: Type.Optional(Type.Array(Bound, { description: "Comparisons, all of which must hold." })),
  canonical: Type.Optional(
    Type.Object(
      { from: Type.Optional(end), to: Type.Optional(end), unit: Type.Optional(text("Its unit.", ["M"])) },
      { description: "The range in the unit to which all values are converted." },
    ),
  ),
  term: Type.Optional(
    Type.Object({
      id: text("Id of the cited term.", ["taxid:562"]),
      title: text("Its title.", ["Escherichia coli"]),
    }),
  ),
  parsed: Type.Optional(text("This part as a separate query, within the groups that contain it.")),
  total: Type.Optional(count("Number of hits of `parsed`.")),
  without: Type.Optional(
    text(
      "The whole query without this part. Absent if there are more than 20 parts, or if the other parts would be " +
        "read differently.",
    ),
  ),
});

interface PartWithParts extends Static<typeof SinglePart> {
  parts?: PartWithParts[];
}

export const QueryPart = Type.Object(
  {
    ...SinglePart.properties,
    parts: Type.Optional(
      Type.Array(Type.Unsafe<PartWithParts>({ $ref: "QueryPart#" }), {
        description: "For a group: its parts. Absent inside more than 15 brackets.",
      }),
    ),
  },
  { $id: "QueryPart", description: "A part of the text of a query, and its interpretation." },
);
/** A part of the text of a query, and its interpretation. */
export interface QueryPart extends Answer<typeof SinglePart> {
  readonly parts?: readonly QueryPart[] | undefined;
}

export const Completion = Type.Object(
  {
    kind: choice(["field", "value", "term", "unit", "operator"]),
    insert: text("The text that replaces `from` to `to`.", ["kd:"]),
    from,
    to,
    label: text("The text to display.", ["KD"]),
    detail: Type.Optional(text("Additional text: an example, an id, the name that matched.", ["kd:>0M"])),
    field_label: Type.Optional(
      text("For a plain word that becomes a value or term: the name of its field to display.", ["Organism"]),
    ),
    doc_count: Type.Optional(count("For a value or term: number of hits of the field with it alone.")),
  },
  { $id: "Completion", description: "A text that can be typed next." },
);
export type Completion = Answer<typeof Completion>;

/** Schema of a corrected query. */
export const Cure = Type.Object({
  label: text("Short description of the correction.", ["Close it at the end"]),
  q: text("The whole query to send instead."),
  unit: Type.Optional(text("The unit that it adds to numbers without a unit.", ["nM"])),
});
export type Cure = Answer<typeof Cure>;

export const QueryWarning = Type.Object(
  {
    ...Type.Omit(Warning, ["field"]).properties,
    code: text("Stable; docs/errors.md lists all codes.", ["QUERY_BRACKET_CLOSED"]),
    value: Type.Optional(json("Text that was read differently from its literal meaning.")),
    nearest: Type.Optional(Type.Array(json(), { description: "Known names that are similar to it." })),
    from: Type.Optional(from),
    to: Type.Optional(to),
    cures: Type.Optional(Type.Array(Cure, { description: "Queries to send instead, best first." })),
  },
  { $id: "QueryWarning", description: "A warning with its place in `q`, and queries to send instead." },
);
export type QueryWarning = Answer<typeof QueryWarning>;

export const QueryText = Type.Object(
  {
    parsed: text("The interpretation of `q` as an equivalent query, which is read the same way."),
    fallback: Type.Boolean({ description: "Whether a part of `q` was read differently from its literal meaning." }),
    total: Type.Optional(count("Number of public hits. Absent if counting takes too long.")),
    parts: Type.Array(ref(QueryPart), {
      description:
        "In order, without overlaps, separated by spaces only. After 20 parts or 50 ms they have no `total`.",
    }),
    completions: Type.Optional(
      Type.Array(ref(Completion), { maxItems: 12, description: "With `at` only; best first." }),
    ),
    warnings: Type.Array(ref(QueryWarning)),
  },
  { $id: "QueryText", description: "The interpretation of the text of a query." },
);
export type QueryText = Answer<typeof QueryText>;
