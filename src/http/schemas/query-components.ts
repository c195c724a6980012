/** How the text of a query is read, and what can be typed next. */
import { type TSchema, Type } from "typebox";
import { choice, ref, text } from "./components.js";

const from = Type.Integer({ minimum: 0, description: "Where it begins in `q`, in code points." });
const to = Type.Integer({ minimum: 0, description: "The first code point after it." });
const end = Type.Unsafe<number | string>({
  type: ["number", "string"],
  description: "A number; of a date an instant. Absent where the range is open.",
});

const QueryPart = Type.Object(
  {
    from,
    to,
    kind: choice(["word", "phrase", "field", "range", "quantity", "term", "group", "operator", "dropped"], {
      description:
        "`field` is text in a field, `range` and `quantity` are comparisons without and with a unit, " +
        "`term` is a known id, `group` what stands in brackets, `dropped` what was ignored.",
    }),
    text: text("This part of `q`.", ["kd:<10nM"]),
    field: Type.Optional(text("The name of the field, as it was typed.", ["kd"])),
    label: Type.Optional(text("The field, for people.", ["KD"])),
    element: Type.Optional(text("Of a group: path of the list of which one element must fulfil all of it.")),
    operator: Type.Optional(choice(["AND", "OR", "NOT", "+"])),
    match: Type.Optional(
      choice(["words", "phrase", "prefix", "wildcard", "fuzzy", "exists", "id", "within", "everything"], {
        description: "How `value` is looked for. Ranges have `bounds` instead.",
      }),
    ),
    value: Type.Optional(text("The text, id or pattern without quotes and escapes.", ["taxid:562"])),
    bounds: Type.Optional(
      Type.Array(
        Type.Object({
          op: choice([">=", ">", "<=", "<", "="]),
          value: text("As it was typed, without its unit.", ["10"]),
          unit: Type.Optional(text("As it was typed.", ["nM"])),
        }),
        { description: "What a value is compared with: each must hold." },
      ),
    ),
    canonical: Type.Optional(
      Type.Object(
        { from: Type.Optional(end), to: Type.Optional(end), unit: Type.Optional(text("Its unit.", ["M"])) },
        { description: "The range in the unit that all values are converted to." },
      ),
    ),
    term: Type.Optional(
      Type.Object({ id: text("Of the cited term.", ["taxid:562"]), title: text("Its title.", ["Escherichia coli"]) }),
    ),
    parsed: Type.Optional(text("This part as a query of its own, within the groups that it stands in.")),
    total: Type.Optional(Type.Integer({ minimum: 0, description: "Hits of `parsed`." })),
    without: Type.Optional(
      text(
        "The whole query without this part. Absent where there are more than 20, or where it would be read otherwise.",
      ),
    ),
    parts: Type.Optional(
      Type.Array(ref("QueryPart"), {
        description: "Of a group: what is in it. Absent inside of more than 15 brackets.",
      }),
    ),
  },
  { $id: "QueryPart", description: "A part of the text of a query, and how it was read." },
);

const Completion = Type.Object(
  {
    kind: choice(["field", "value", "term", "unit", "operator"]),
    insert: text("What to put in place of `from` to `to`.", ["kd:"]),
    from,
    to,
    label: text("For people.", ["KD"]),
    detail: Type.Optional(text("More of it: an example, an id, the name that matched.", ["kd:>0M"])),
    doc_count: Type.Optional(
      Type.Integer({ minimum: 0, description: "Of a value or term: hits of the field with it alone." }),
    ),
  },
  { $id: "Completion", description: "A text that can be typed next." },
);

const QueryWarning = Type.Object(
  {
    code: text("Stable; docs/errors.md lists all codes.", ["QUERY_BRACKET_CLOSED"]),
    message: Type.String(),
    parameter: Type.Optional(text("The name of a parameter.")),
    value: Type.Optional(Type.Unknown({ description: "What was read otherwise than it was written." })),
    nearest: Type.Optional(Type.Array(Type.Unknown(), { description: "Known names that are similar to it." })),
    from: Type.Optional(from),
    to: Type.Optional(to),
    cures: Type.Optional(
      Type.Array(
        Type.Object({
          label: text("What it does.", ["Close it at the end"]),
          q: text("The whole query to send instead."),
        }),
        { description: "Queries to send instead, best first." },
      ),
    ),
  },
  { $id: "QueryWarning", description: "A warning with its place in `q`, and what to send instead." },
);

const QueryText = Type.Object(
  {
    parsed: text("The query as it was read; it is read the same way again."),
    fallback: Type.Boolean({ description: "Whether a part was read otherwise than it was written." }),
    total: Type.Optional(
      Type.Integer({ minimum: 0, description: "Hits among what is public. Absent where counting takes too long." }),
    ),
    parts: Type.Array(ref("QueryPart"), {
      description: "In order, without overlaps; between them are blanks. Beyond 20, or 50 ms, they have no `total`.",
    }),
    completions: Type.Optional(
      Type.Array(ref("Completion"), { maxItems: 12, description: "With `at` only; best first." }),
    ),
    warnings: Type.Array(ref("QueryWarning")),
  },
  { $id: "QueryText", description: "How the text of a query is read." },
);

export const QUERY_COMPONENTS: readonly TSchema[] = [QueryPart, Completion, QueryWarning, QueryText];
