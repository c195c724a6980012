/** What requests are made of, for the OpenAPI document; our own code reads parameters, and says what is wrong. */
import { type TSchema, Type } from "typebox";
import { LIMITS } from "../../core/limits.js";
import type { Query } from "../parameters/query-string.js";
import { choice, ref } from "./components.js";

export const ModelParams = Type.Object({
  model: Type.String({ description: "Name of a model.", examples: ["mst"] }),
});

/** What the parameters of these names take, the default first. */
export const REFS: readonly string[] = ["kept", "resolved"];
export const VALIDATE: readonly string[] = ["only"];

export const RecordParams = Type.Object({
  model: Type.String({ description: "Name of a model.", examples: ["mst"] }),
  id: Type.String({ description: "Id of a record; not case-sensitive.", examples: ["zv0gv-btp27"] }),
});

export const GrantParams = Type.Object({
  ...RecordParams.properties,
  user: Type.String({ description: "Name of a user, or their id.", examples: ["ada"] }),
});

export const TokenParams = Type.Object({
  id: Type.String({ description: "Id of one of the caller's tokens.", examples: ["7"] }),
});

export const VocabularyParams = Type.Object({
  vocabulary: Type.String({ description: "Name of a vocabulary.", examples: ["organisms"] }),
});

export const TermParams = Type.Object({
  vocabulary: Type.String({ description: "Name of a vocabulary.", examples: ["organisms"] }),
  id: Type.String({ description: "Id of a term; its colons may be percent-encoded.", examples: ["taxid:562"] }),
});

/** A query string: documented as a schema, read as a `Query`. */
const parameters = (properties: Record<string, TSchema>) => Type.Unsafe<Query>(Type.Object(properties));

const optional = (schema: TSchema) => Type.Optional(schema);

const window = (sizeMax: number, more: string) => ({
  q: optional(
    Type.String({
      default: "",
      description:
        "Query: words, phrases, fields, ranges, Boolean operators (docs/search-syntax.md). Any text is a valid query.",
      examples: ['"serum albumin"'],
    }),
  ),
  suggest: optional(
    Type.String({
      description: "Instead of `q`, for search as you type: plain text whose last word may be incomplete.",
    }),
  ),
  page: optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description: `Number of the page. page * size must not exceed ${LIMITS.pageWindowMax}; use cursor to read more.`,
    }),
  ),
  size: optional(
    Type.Integer({
      minimum: 1,
      default: LIMITS.pageSizeDefault,
      description: `At most ${sizeMax}${more}.`,
    }),
  ),
  p: optional(Type.Integer({ minimum: 1, description: "The same as `page`." })),
  s: optional(Type.Integer({ minimum: 1, description: "The same as `size`." })),
  cursor: optional(
    Type.String({
      description: "Instead of `page`: `*` for the first page, then the cursor of the link `next`; reads all hits.",
    }),
  ),
  l: optional(choice(["list"], { description: "Layout; `list` is the only one." })),
  facets: optional(choice(["none"], { description: "`none` leaves the aggregations out." })),
  facet_size: optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.facetBucketsMax,
      default: LIMITS.facetBucketsDefault,
      description: "Maximum number of buckets per facet; selected ones are always listed.",
    }),
  ),
  highlight: optional(
    Type.Boolean({ default: false, description: "Adds the matching fragments to each hit, as `highlight`." }),
  ),
  lang: optional(Type.String({ default: "en", description: "Language of titles and labels." })),
  filters: optional(
    Type.Unsafe({
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
      style: "form",
      explode: true,
      description:
        "Any parameter named after a facet filters by its key: `instrument=ins:2`, `year=2024`, `ph=7..8`. Repeat it " +
        "to select several keys, any of which must match; of several facets, each must match. " +
        "`aggregations` of a response name the facets and their keys.",
    }),
  ),
});

const sort = (names: readonly string[], without: string) =>
  Type.Optional(choice(names, { description: `Default: ${without} without a query, otherwise bestmatch.` }));

const RECORD_SORTS = ["newest", "oldest", "bestmatch"];

const ALL_VERSIONS = Type.Optional(Type.Boolean({ description: "Includes older published versions." }));

export const RecordSearchQuery = parameters({
  ...window(LIMITS.recordPageSizeMax, ""),
  sort: sort(RECORD_SORTS, "newest"),
  allversions: ALL_VERSIONS,
});

export const OwnSearchQuery = parameters({
  ...window(LIMITS.recordPageSizeMax, ""),
  sort: sort(RECORD_SORTS, "newest"),
  state: Type.Optional(choice(["draft", "published"])),
  is_draft: Type.Optional(Type.Boolean()),
  is_published: Type.Optional(Type.Boolean()),
  allversions: ALL_VERSIONS,
  shared: Type.Optional(
    Type.Boolean({
      description: "Searches drafts that other users shared with the caller, instead of the caller's own.",
    }),
  ),
});

export const TermSearchQuery = parameters({
  ...window(LIMITS.termPageSizeMax, "; a larger size is reduced to that, with a warning"),
  sort: sort(["newest", "title", "oldest", "bestmatch"], "title"),
  ids: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: LIMITS.idsMax,
      description: "Fetches the terms with these ids, in this order, instead of searching.",
    }),
  ),
  parent: Type.Optional(
    Type.String({ description: "Only children of this term (if the vocabulary has a hierarchy)." }),
  ),
  ancestor: Type.Optional(
    Type.String({ description: "Only descendants of this term (if the vocabulary has a hierarchy)." }),
  ),
});

const single = {
  expand: Type.Optional(Type.Boolean({ description: "Adds the member `expanded`, which some clients read." })),
};

export const SingleQuery = parameters(single);
export const CreateQuery = parameters({
  ...single,
  validate: optional(choice(VALIDATE, { description: "`only` validates the body and creates no draft." })),
});

const { page, size, p, s } = window(LIMITS.recordPageSizeMax, "");

/** Of lists that nobody searches. */
export const PageQuery = parameters({ page, size, p, s });
export const ChangesQuery = parameters({
  since: optional(
    Type.String({
      default: "0",
      description: "`next` of the previous response; `0` for the first request.",
      examples: ["0"],
    }),
  ),
  size: optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.changePageSizeMax,
      default: LIMITS.changePageSizeDefault,
      description: "Changes per page.",
    }),
  ),
  s: optional(Type.Integer({ minimum: 1, description: "The same as `size`." })),
  wait: optional(
    Type.Number({
      minimum: 0,
      maximum: LIMITS.changeWaitSecondsMax,
      default: 0,
      description: "Seconds to wait for a change if there is none yet.",
    }),
  ),
  format: optional(
    choice(["json", "ndjson"], {
      description: "ndjson: all changes until now, one per line; takes precedence over Accept.",
    }),
  ),
});

export const NoQuery = parameters({});

export const SchemaQuery = parameters({
  refs: optional(
    choice(REFS, {
      description: "kept (the default): shared parts are in `$defs`. resolved: each is copied to where it is used.",
    }),
  ),
});

export const IfNoneMatch = Type.Object({
  "if-none-match": Type.Optional(Type.String({ description: "An ETag; the response is 304 if it is still current." })),
});

export const IfMatch = Type.Object({
  "if-match": Type.Optional(
    Type.String({
      description: "The revision to change, with or without quotes; the response is 412 if it is not current.",
    }),
  ),
});

/** The page of a list that has one order and no query. */
export const ListQuery = parameters({
  sort: optional(choice(["newest"])),
  l: optional(choice(["list"], { description: "Layout; `list` is the only one." })),
  page: optional(Type.Integer({ minimum: 1, default: 1 })),
  size: optional(
    Type.Integer({
      minimum: 1,
      default: LIMITS.pageSizeDefault,
      description: `At most ${LIMITS.recordPageSizeMax}.`,
    }),
  ),
  p: optional(Type.Integer({ minimum: 1, description: "The same as `page`." })),
  s: optional(Type.Integer({ minimum: 1, description: "The same as `size`." })),
});

export const IfMatchOnce = Type.Object({
  "if-match": Type.Optional(
    Type.String({
      description:
        "The revision of the published record, with or without quotes; the response is 412 if it is not current.",
    }),
  ),
  "idempotency-key": Type.Optional(
    Type.String({
      maxLength: LIMITS.idempotencyKeyLengthMax,
      description: "Makes it safe to repeat the request: a repetition gets the response of the first one.",
    }),
  ),
});

/** A body: read as text, `undefined` where there is none. */
const body = (name: string) => Type.Unsafe<string | undefined>(ref(name));

export const DepositBody = body("Deposit");
export const GrantBody = body("GrantBody");
export const TokenBody = body("TokenBody");
export const TermBody = body("TermBody");
export const RemovalBody = body("Removal");
