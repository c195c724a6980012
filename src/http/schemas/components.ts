/**
 * The shapes of answers, for the OpenAPI document. Answers are texts that the services made, so nothing here checks or
 * filters them; the tests hold real answers against these schemas.
 */
import { type TSchema, Type } from "typebox";
import { ERRORS } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";

/** A component by name. */
export const ref = <T = unknown>(name: string) => Type.Unsafe<T>({ $ref: `${name}#` });

/** One of a few words. */
export const choice = (words: readonly string[], options: { readonly description?: string } = {}) =>
  Type.Enum([...words], { type: "string", ...options });

export const text = (description: string, examples: readonly string[] = []) =>
  Type.String({ description, ...(examples.length === 0 ? {} : { examples: [...examples] }) });
export const link = (description: string) => Type.String({ format: "uri", description });
export const instant = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-21T10:00:00.123456+00:00"] });
const open = (description: string) => Type.Object({}, { description, additionalProperties: true });

const Issue = Type.Object(
  {
    field: text("Where: a path in the body, or the name of a parameter.", ["metadata.contributors.0.id"]),
    pointer: text("JSON pointer to the same place.", ["/metadata/contributors/0/id"]),
    code: text("Stable; docs/errors.md lists all codes.", ["TERM_UNKNOWN"]),
    messages: Type.Array(Type.String()),
    value: Type.Optional(Type.Unknown({ description: "What was sent." })),
    allowed: Type.Optional(Type.Array(Type.Unknown(), { description: "What the place takes, where that is a list." })),
    nearest: Type.Optional(Type.Array(Type.Unknown(), { description: "What was probably meant, best first." })),
  },
  { $id: "Issue", description: "One problem at one place, with its cure." },
);

const Warning = Type.Object(
  {
    code: text("Stable; docs/errors.md lists all codes.", ["UNKNOWN_PARAMETER"]),
    message: Type.String(),
    field: Type.Optional(text("Where in a body.")),
    parameter: Type.Optional(text("Which parameter.")),
    value: Type.Optional(Type.Unknown({ description: "What was dropped." })),
    nearest: Type.Optional(Type.Array(Type.Unknown(), { description: "Known names or terms near to what was sent." })),
  },
  { $id: "Warning", description: "Something that was done or left out." },
);

export const Warnings = Type.Array(ref("Warning"), { description: "Absent where there are none." });

const Tombstone = Type.Object(
  {
    id: text("Of the retracted record.", ["zv0gv-btp27"]),
    model: text("Name of the model.", ["mst"]),
    title: Type.String(),
    depositors: Type.Optional(Type.Unknown({ description: "As they stood in the record." })),
    publisher: Type.String(),
    created: instant("When it was first published."),
    removed: instant("When it was retracted."),
    removal_reason: text("Empty where none was given."),
    removed_by: Type.Optional(text("The curator or admin who retracted it; absent where its owner did.")),
  },
  { $id: "Tombstone", description: "What is left of a retracted record." },
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
    "With highlight=true: fragments that matched, by the path of their field (`*`: fields that no schema declares), " +
    "in HTML: escaped but for <em> around what matched.",
  examples: [{ "metadata.general_parameters.record_information.title": ["Binding of <em>albumin</em>"] }],
});

const RecordLinks = Type.Object(
  {
    self: link("The record, or the draft."),
    draft: Type.Optional(link("The draft.")),
    record: Type.Optional(link("The published record.")),
    publish: Type.Optional(link("POST here to publish the draft.")),
    versions: Type.Optional(link("The published versions; POST here to make the draft of a new one.")),
    latest: Type.Optional(link("Leads to the latest published version.")),
    files: link("Always an empty list: this service holds no files."),
  },
  { $id: "RecordLinks", description: "As they apply." },
);

const Record = Type.Object(
  {
    id: text("Ten characters of Crockford's base32; read in any case.", ["zv0gv-btp27"]),
    model: text("Name of the model.", ["mst"]),
    created: instant("When the draft was made, or the record first published."),
    updated: instant("When it last changed."),
    revision_id: Type.Integer({ minimum: 1, description: "One more for each stored change; the ETag." }),
    state: choice(["draft", "published"]),
    is_draft: Type.Boolean(),
    is_published: Type.Boolean({ description: "Of a draft: is there a published record too?" }),
    parent: Type.Object({
      id: text("The same for all versions of a record."),
      owner: Type.Object({ user: text("Id of the user who created it.") }),
    }),
    versions: Type.Object({
      index: Type.Integer({ minimum: 1 }),
      is_latest: Type.Boolean(),
      is_latest_draft: Type.Boolean(),
    }),
    files: Type.Object({ enabled: Type.Boolean({ const: false }) }),
    metadata: open("What the depositor says, with cited terms filled in; the model's schema describes it."),
    links: ref("RecordLinks"),
    errors: Type.Optional(
      Type.Array(ref("Issue"), { description: "Problems of a draft; absent where there are none." }),
    ),
    warnings: Type.Optional(Warnings),
    highlight: Type.Optional(ref("Highlight")),
    expanded: Type.Optional(
      Type.Object({ requests: Type.Array(Type.Unknown()) }, { description: "With expand=true." }),
    ),
  },
  { $id: "Record", description: "A draft or a published record." },
);

const Deposit = Type.Object(
  {
    metadata: Type.Optional(open('The record. A term is cited by its id alone: {"id": "taxid:562"}.')),
    model: Type.Optional(text("If there: the model of the path.")),
  },
  {
    $id: "Deposit",
    description: "Only `metadata` is read. What the service owns is ignored, so a body that was read can be sent back.",
    additionalProperties: true,
  },
);

const Removal = Type.Object(
  {
    removal_reason: Type.Optional(
      text(`Why; at most ${LIMITS.removalReasonCodePointsMax} characters.`, ["The sample was mislabelled."]),
    ),
  },
  { $id: "Removal", description: "Why a record is retracted." },
);

const Files = Type.Object(
  { enabled: Type.Boolean({ const: false }), entries: Type.Array(Type.Unknown(), { maxItems: 0 }) },
  { $id: "Files", description: "No record has files here." },
);

const end = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.String()], { description }));

const Aggregation = Type.Object(
  {
    label: Type.String(),
    type: choice(["terms", "tree", "year", "histogram"], {
      description:
        "terms: each value is a key; tree: each cited term and what stands above it in its vocabulary (a key finds " +
        "all below it); year: of dates, in UTC; histogram: ranges of numbers.",
    }),
    buckets: Type.Array(
      Type.Object({
        key: text("What to send as the parameter's value.", ["ins:2"]),
        label: text("What to show.", ["Monolith NT.115 RED"]),
        doc_count: Type.Integer({ minimum: 0 }),
        is_selected: Type.Boolean(),
        parent: Type.Optional(text("Of a tree: the key of the nearest term above that is listed.", ["taxid:2"])),
        from: end("Of a year or a range: its first day, or its least number."),
        to: end("Of a year or a range: where the next one begins."),
      }),
      { description: "By count, then by key." },
    ),
    other: Type.Integer({ minimum: 0, description: "Sum of the counts of all keys that are not listed." }),
  },
  { $id: "Aggregation", description: "Counts of one facet over all hits." },
);

const SearchLinks = Type.Object(
  {
    self: link("This page, with every parameter spelled out."),
    prev: Type.Optional(link("The page before.")),
    next: Type.Optional(link("The page after: by number, or by cursor where the window of pages ends.")),
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
    props: open("What the vocabulary declares beside; at least {}."),
    "@v": text("Version marker: <uuid>::<revision>."),
    created: instant("When it came here."),
    updated: instant("When it last changed."),
    revision_id: Type.Integer({ minimum: 1 }),
    synonyms: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), kind: Type.String(), lang: Type.Optional(Type.String()) })),
    ),
    parent: Type.Optional(TermLink),
    ancestors: Type.Optional(Type.Array(TermLink, { description: "Root first; of single items only." })),
    status: Type.Optional(choice(["active", "deprecated"])),
    replaced_by: Type.Optional(Type.String()),
    links: Type.Object({ self: link("The item.") }),
    matched: Type.Optional(
      Type.Object({ field: Type.String(), text: Type.String() }, { description: "With suggest=: what matched." }),
    ),
    highlight: Type.Optional(ref("Highlight")),
    warnings: Type.Optional(Warnings),
  },
  { $id: "Term", description: "An item of a vocabulary." },
);

const VocabularySummary = Type.Object(
  {
    id: text("Its name.", ["organisms"]),
    title: Type.String(),
    description: Type.String(),
    authority: Type.Optional(text("Who keeps it.", ["ncbi"])),
    count: Type.Integer({ minimum: 0, description: "Number of its items." }),
    id_pattern: text("Regular expression of whole ids.", ["^taxid:[0-9]+$"]),
    extensible: Type.Boolean({ description: "May any depositor add items?" }),
    links: Type.Object({ self: link("The vocabulary."), items: link("Search of its items.") }),
  },
  { $id: "VocabularySummary" },
);

/** A search answer. */
export const search = (id: string, hit: TSchema, description: string) =>
  Type.Object(
    {
      hits: Type.Object({
        hits: Type.Array(hit),
        total: Type.Integer({ minimum: 0, description: "All matches, exact." }),
      }),
      aggregations: Type.Optional(
        Type.Record(Type.String(), ref("Aggregation"), { description: "By facet; absent with facets=none." }),
      ),
      sortBy: text("How the hits are sorted.", ["newest"]),
      page: Type.Optional(Type.Integer({ minimum: 1, description: "Absent with a cursor." })),
      links: ref("SearchLinks"),
      query: Type.Object({
        parsed: text("How q was read, as a query that means the same."),
        fallback: Type.Boolean({ description: "Was text that is not valid syntax read as plain words?" }),
        suggestions: Type.Optional(
          Type.Array(Type.String(), {
            maxItems: 3,
            description:
              "Where nothing was found, probably for a misspelt word: queries that do find something, best first.",
          }),
        ),
      }),
      warnings: Type.Optional(Warnings),
    },
    { $id: id, description },
  );

/** All shared schemas, in the order in which they refer to each other. */
export const COMPONENTS: readonly TSchema[] = [
  ...[
    Issue,
    Warning,
    Tombstone,
    Problem,
    Highlight,
    RecordLinks,
    Record,
    Deposit,
    Removal,
    Files,
    Aggregation,
    SearchLinks,
    Term,
    VocabularySummary,
  ],
  search("RecordSearch", ref("Record"), "One page of records."),
  search("TermSearch", ref("Term"), "One page of a vocabulary's items."),
  search("VocabularyList", ref("VocabularySummary"), "All vocabularies."),
];
