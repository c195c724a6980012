/** Answers of searches: pages of hits, counts of facets. */

import { type TSchema, Type } from "typebox";
import { type Answer, choice, count, link, ref, text } from "../answer.js";
import { FACET_KIND_NAMES, facetKind } from "../catalog/facet-kinds/facet-kinds.js";
import { Warnings } from "../issue.js";

export const Highlight = Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 3 }), {
  $id: "Highlight",
  description:
    "With highlight=true: matching fragments by the path of their field (`*`: fields that no schema declares), " +
    "as escaped HTML with <em> around the matches.",
  examples: [{ "metadata.general_parameters.record_information.title": ["Binding of <em>albumin</em>"] }],
});
export type Highlight = Answer<typeof Highlight>;

const end = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.String()], { description }));
const extreme = (description: string) => Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }));

export const Bucket = Type.Object({
  key: text("The value of the parameter that selects this bucket.", ["ins:2"]),
  label: text("The text to display.", ["Monolith NT.115 RED"]),
  doc_count: count(),
  is_selected: Type.Boolean(),
  parent: Type.Optional(text("For a tree: the key of the nearest ancestor that is listed.", ["taxid:2"])),
  has_below: Type.Optional(Type.Literal(true, { description: "With `facet_below`: there are more buckets below it." })),
  from: end("For a year or a range: its first day, or its lower end."),
  to: end("For a year or a range: the beginning of the next one."),
});
export type Bucket = Answer<typeof Bucket>;

/** A selected value of a facet, as it is shown. */
export type SelectedValue = Pick<Bucket, "key" | "label" | "from" | "to">;

export const Aggregation = Type.Object(
  {
    label: Type.String(),
    type: choice(FACET_KIND_NAMES, {
      description: `${FACET_KIND_NAMES.map((kind) => `${kind}: ${facetKind(kind).description}`).join("; ")}.`,
    }),
    buckets: Type.Array(Bucket, {
      description:
        "Sorted by count, then by key; steps of a histogram without edges ascend. Selected ranges come last.",
    }),
    other: count("Sum of the counts of all buckets that are not listed."),
    unit: Type.Optional(text("For a histogram: the unit of its numbers.", ["M"])),
    scale: Type.Optional(choice(["linear", "log"], { description: "For a histogram: the scale of its axis." })),
    min: extreme("For a histogram: the smallest number that it counts, without its own filter; null if none."),
    max: extreme("For a histogram: the largest number that it counts, without its own filter; null if none."),
  },
  { $id: "Aggregation", description: "Counts of one facet over all hits." },
);
export type Aggregation = Answer<typeof Aggregation>;

export const SearchLinks = Type.Object(
  {
    self: link("This page, with all parameters."),
    prev: Type.Optional(link("The previous page.")),
    next: Type.Optional(link("The next page: by number, or by cursor after the last page that has a number.")),
  },
  { $id: "SearchLinks" },
);
export type SearchLinks = Answer<typeof SearchLinks>;

/** Schema of the interpretation of the query of a search. */
export const SearchedQuery = Type.Object({
  parsed: text("How `q` was read, as an equivalent query."),
  fallback: Type.Boolean({ description: "Whether a part of `q` was read differently from its literal meaning." }),
  suggestions: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 3,
      description: "If there are no hits, probably because of a misspelt word: queries that have hits, best first.",
    }),
  ),
});
export type SearchedQuery = Answer<typeof SearchedQuery>;

/** Declares the answer of a search, or of a list, by the schema of its hits. */
export const hitsPage = <Hit extends TSchema>(id: string, hit: Hit, description: string) =>
  Type.Object(
    {
      hits: Type.Object({
        hits: Type.Array(ref(hit)),
        total: count("The number of all matches; exact, unless there is an `index`."),
      }),
      aggregations: Type.Optional(
        Type.Record(Type.String(), ref(Aggregation), { description: "Counts by facet; absent with facets=none." }),
      ),
      sortBy: text("The order of the hits.", ["newest"]),
      page: Type.Optional(Type.Integer({ minimum: 1, description: "Number of the page; absent with a cursor." })),
      links: ref(SearchLinks),
      query: SearchedQuery,
      index: Type.Optional(
        Type.Object({ behind: Type.Integer({ description: "Number of changes that may be missing." }) }),
      ),
      warnings: Warnings,
    },
    { $id: id, description },
  );
