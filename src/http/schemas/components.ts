/**
 * Schemas of answers, for the OpenAPI document. Answers are texts from the services, so the server does not check or
 * filter them by these schemas; tests do.
 */
import { type TSchema, Type } from "typebox";
import { declaredKind, FACET_KIND_NAMES } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { ERRORS } from "../../core/errors.js";

/** Refers to a component by name. */
export const ref = <T = unknown>(name: string) => Type.Unsafe<T>({ $ref: `${name}#` });

/** Declares a text that is one of a few words. */
export const choice = (words: readonly string[], options: { readonly description?: string } = {}) =>
  Type.Enum([...words], { type: "string", ...options });

/** Declares a text. */
export const text = (description: string, examples: readonly string[] = []) =>
  Type.String({ description, ...(examples.length === 0 ? {} : { examples: [...examples] }) });
/** Declares a link. */
export const link = (description: string) => Type.String({ format: "uri", description });
/** Declares an instant. */
export const instant = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-21T10:00:00.123456+00:00"] });
const open = (description: string) => Type.Object({}, { description, additionalProperties: true });

const Issue = Type.Object(
  {
    field: text("A path in the body, or the name of a parameter.", ["metadata.contributors.0.id"]),
    pointer: text("JSON pointer to the same place.", ["/metadata/contributors/0/id"]),
    code: text("Stable; docs/errors.md lists all codes.", ["TERM_UNKNOWN"]),
    messages: Type.Array(Type.String()),
    value: Type.Optional(Type.Unknown({ description: "The value that was sent." })),
    allowed: Type.Optional(Type.Array(Type.Unknown(), { description: "The allowed values, if listed." })),
    nearest: Type.Optional(Type.Array(Type.Unknown(), { description: "Suggestions, best first." })),
  },
  { $id: "Issue", description: "One problem at one place, and how to fix it." },
);

const Warning = Type.Object(
  {
    code: text("Stable; docs/errors.md lists all codes.", ["UNKNOWN_PARAMETER"]),
    message: Type.String(),
    field: Type.Optional(text("A path in the body.")),
    parameter: Type.Optional(text("The name of a parameter.")),
    value: Type.Optional(Type.Unknown({ description: "The value that was dropped." })),
    nearest: Type.Optional(
      Type.Array(Type.Unknown(), { description: "Known names or terms that are similar to the value that was sent." }),
    ),
  },
  { $id: "Warning", description: "A note on what was changed or ignored; a request with warnings succeeds." },
);

/** Warnings of an answer. */
export const Warnings = Type.Array(ref("Warning"), { description: "Absent if there are none." });

const Tombstone = Type.Object(
  {
    id: text("Id of the retracted record.", ["zv0gv-btp27"]),
    model: text("Name of the model.", ["mst"]),
    title: Type.String(),
    depositors: Type.Optional(Type.Unknown({ description: "The depositors in the record." })),
    publisher: Type.String(),
    created: instant("When it was first published."),
    removed: instant("When it was retracted."),
    removal_reason: text("Empty if no reason was given."),
    removed_by: Type.Optional(text("The curator or admin who retracted it; absent if the owner did.")),
  },
  { $id: "Tombstone", description: "What remains of a retracted record." },
);

const Problem = Type.Object(
  {
    status: Type.Integer({ description: "The HTTP status.", examples: [400] }),
    code: choice(Object.keys(ERRORS), { description: "Stable; docs/errors.md explains each." }),
    message: text("A sentence for people.", ["A page has at most 1000 hits; request several pages."]),
    errors: Type.Array(ref("Issue")),
    request_id: text("Also in the header X-Request-Id and in the server's log."),
    tombstone: Type.Optional(ref("Tombstone")),
  },
  { $id: "Problem", description: "The shape of every error." },
);

const Highlight = Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 3 }), {
  $id: "Highlight",
  description:
    "With highlight=true: matching fragments by the path of their field (`*`: fields that no schema declares), " +
    "as escaped HTML with <em> around the matches.",
  examples: [{ "metadata.general_parameters.record_information.title": ["Binding of <em>albumin</em>"] }],
});

const RecordLinks = Type.Object(
  {
    self: link("The record, or the draft."),
    self_html: Type.Optional(link("The page of a published record, for people.")),
    draft: Type.Optional(link("The draft.")),
    record: Type.Optional(link("The published record.")),
    publish: Type.Optional(link("POST here to publish the draft.")),
    versions: Type.Optional(link("The published versions; POST here to create the draft of a new one.")),
    latest: Type.Optional(link("Redirects to the latest published version.")),
    files: link("Always an empty list: this service stores no files."),
  },
  { $id: "RecordLinks", description: "Links that apply to the record or draft." },
);

const Record = Type.Object(
  {
    id: text("Ten characters of Crockford's base32; not case-sensitive.", ["zv0gv-btp27"]),
    model: text("Name of the model.", ["mst"]),
    created: instant("When the draft was created, or the record first published."),
    updated: instant("When it last changed."),
    revision_id: Type.Integer({ minimum: 1, description: "Increases by one with each stored change; also the ETag." }),
    state: choice(["draft", "published"]),
    is_draft: Type.Boolean(),
    is_published: Type.Boolean({ description: "For a draft: whether there is a published record with this id." }),
    parent: Type.Object({
      id: text("The same for all versions of a record."),
      owner: Type.Object({ user: text("Id of the user who created it.") }),
    }),
    versions: Type.Object({
      index: Type.Integer({ minimum: 1 }),
      is_latest: Type.Boolean(),
      is_latest_draft: Type.Boolean(),
    }),
    files: Type.Object({ enabled: Type.Boolean() }),
    metadata: open("The metadata from the depositor, with the cited terms filled in; the model's schema describes it."),
    links: ref("RecordLinks"),
    errors: Type.Optional(Type.Array(ref("Issue"), { description: "Problems of a draft; absent if there are none." })),
    as_cited: Type.Optional(ref("AsCited")),
    warnings: Type.Optional(Warnings),
    highlight: Type.Optional(ref("Highlight")),
    expanded: Type.Optional(
      Type.Object({ requests: Type.Array(Type.Unknown()) }, { description: "With expand=true." }),
    ),
  },
  { $id: "Record", description: "A draft or a published record." },
);

const Files = Type.Object(
  { enabled: Type.Boolean(), entries: Type.Array(Type.Unknown(), { maxItems: 0 }) },
  { $id: "Files", description: "The files of a record; always empty." },
);

const end = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.String()], { description }));
const extreme = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }));

const Aggregation = Type.Object(
  {
    label: Type.String(),
    type: choice(FACET_KIND_NAMES, {
      description: `${FACET_KIND_NAMES.map((kind) => `${kind}: ${declaredKind(kind).description}`).join("; ")}.`,
    }),
    buckets: Type.Array(
      Type.Object({
        key: text("The value of the parameter that selects this bucket.", ["ins:2"]),
        label: text("The text to display.", ["Monolith NT.115 RED"]),
        doc_count: Type.Integer({ minimum: 0 }),
        is_selected: Type.Boolean(),
        parent: Type.Optional(text("For a tree: the key of the nearest ancestor that is listed.", ["taxid:2"])),
        has_below: Type.Optional(
          Type.Boolean({ const: true, description: "With `facet_below`: there are more buckets below it." }),
        ),
        from: end("For a year or a range: its first day, or its lower end."),
        to: end("For a year or a range: the beginning of the next one."),
      }),
      { description: "Sorted by count, then by key; selected ranges last." },
    ),
    other: Type.Integer({ minimum: 0, description: "Sum of the counts of all buckets that are not listed." }),
    unit: Type.Optional(text("For a histogram: the unit of its numbers.", ["M"])),
    scale: Type.Optional(choice(["linear", "log"], { description: "For a histogram: the scale of its axis." })),
    min: extreme("For a histogram: the smallest number that it counts, without its own filter; null if none."),
    max: extreme("For a histogram: the largest number that it counts, without its own filter; null if none."),
  },
  { $id: "Aggregation", description: "Counts of one facet over all hits." },
);

const SearchLinks = Type.Object(
  {
    self: link("This page, with all parameters."),
    prev: Type.Optional(link("The previous page.")),
    next: Type.Optional(link("The next page: by number, or by cursor after the last page that has a number.")),
  },
  { $id: "SearchLinks" },
);

const Titles = Type.Record(Type.String(), Type.String(), {
  description: "One title per language.",
  examples: [{ en: "Escherichia coli" }],
});
const TermLink = Type.Object({ id: Type.String(), title: Titles });

const Term = Type.Object(
  {
    id: text("", ["taxid:562"]),
    type: text("Name of the vocabulary.", ["organisms"]),
    title: Titles,
    props: open("The other fields that the vocabulary declares; {} if there are none."),
    "@v": text("Version marker: <uuid>::<revision>."),
    created: instant("When it was added."),
    updated: instant("When it last changed."),
    revision_id: Type.Integer({ minimum: 1 }),
    synonyms: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), lang: Type.Optional(Type.String()) })),
    ),
    parent: Type.Optional(TermLink),
    ancestors: Type.Optional(Type.Array(TermLink, { description: "Root first; only for a single term." })),
    below: Type.Optional(
      Type.Object(
        { children: Type.Integer({ minimum: 0 }), all: Type.Integer({ minimum: 0 }) },
        {
          description:
            "Number of direct children and of all descendants. Only in answers with a single term of a hierarchy.",
        },
      ),
    ),
    status: Type.Optional(choice(["active", "deprecated"])),
    replaced_by: Type.Optional(Type.String()),
    confirmed: Type.Optional(
      Type.Literal(false, { description: "A depositor added it, and no curator has confirmed it yet." }),
    ),
    edited: Type.Optional(Type.Array(ref("EditedField"), { description: "Only for a single term." })),
    cited_by: Type.Integer({ minimum: 0, description: "Number of records whose latest version cites it." }),
    links: ref("TermLinks"),
    matched: Type.Optional(
      Type.Object(
        { field: Type.String(), text: Type.String(), kind: Type.Optional(Type.String()) },
        { description: "With `suggest`: the match, for a synonym with its kind." },
      ),
    ),
    highlight: Type.Optional(ref("Highlight")),
    warnings: Type.Optional(Warnings),
  },
  { $id: "Term", description: "A term of a vocabulary." },
);

/** Declares the answer of a search. */
export const search = (id: string, hit: TSchema, description: string) =>
  Type.Object(
    {
      hits: Type.Object({
        hits: Type.Array(hit),
        total: Type.Integer({
          minimum: 0,
          description: "The number of all matches; exact, unless there is an `index`.",
        }),
      }),
      aggregations: Type.Optional(
        Type.Record(Type.String(), ref("Aggregation"), { description: "Counts by facet; absent with facets=none." }),
      ),
      sortBy: text("The order of the hits.", ["newest"]),
      page: Type.Optional(Type.Integer({ minimum: 1, description: "Number of the page; absent with a cursor." })),
      links: ref("SearchLinks"),
      query: Type.Object({
        parsed: text("How `q` was read, as an equivalent query."),
        fallback: Type.Boolean({ description: "Whether text that is not valid syntax was read as plain words." }),
        suggestions: Type.Optional(
          Type.Array(Type.String(), {
            maxItems: 3,
            description:
              "If there are no hits, probably because of a misspelt word: queries that have hits, best first.",
          }),
        ),
      }),
      index: Type.Optional(
        Type.Object({ behind: Type.Integer({ description: "Number of changes that may be missing." }) }),
      ),
      warnings: Type.Optional(Warnings),
    },
    { $id: id, description },
  );

/** Shared schemas, in the order in which they refer to each other. */
export const COMPONENTS: readonly TSchema[] = [
  Issue,
  Warning,
  Tombstone,
  Problem,
  Highlight,
  RecordLinks,
  Record,
  Files,
  Aggregation,
  SearchLinks,
  Term,
  search("RecordSearch", ref("Record"), "One page of records."),
  search("TermSearch", ref("Term"), "One page of a vocabulary's terms."),
  search("VocabularyList", ref("VocabularySummary"), "All vocabularies."),
];
