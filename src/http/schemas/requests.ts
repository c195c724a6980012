/** What requests are made of, for the OpenAPI document; our own code reads parameters, and says what is wrong. */
import { type TSchema, Type } from "typebox";
import { LIMITS } from "../../core/limits.js";
import type { Query } from "../query-string.js";
import { choice, ref } from "./components.js";

export const ModelParams = Type.Object({
  model: Type.String({ description: "Name of a model.", examples: ["mst"] }),
});

/** What the parameters of these names take, the default first. */
export const REFS: readonly string[] = ["kept", "resolved"];
export const VALIDATE: readonly string[] = ["only"];

export const RecordParams = Type.Object({
  model: Type.String({ description: "Name of a model.", examples: ["mst"] }),
  id: Type.String({ description: "Id of a record, in any case.", examples: ["zv0gv-btp27"] }),
});

export const GrantParams = Type.Object({
  ...RecordParams.properties,
  user: Type.String({ description: "Name of a user, or their id.", examples: ["ada"] }),
});

export const TokenParams = Type.Object({
  id: Type.String({ description: "Id of a token of the caller's.", examples: ["7"] }),
});

export const VocabularyParams = Type.Object({
  vocabulary: Type.String({ description: "Name of a vocabulary.", examples: ["organisms"] }),
});

export const TermParams = Type.Object({
  vocabulary: Type.String({ description: "Name of a vocabulary.", examples: ["organisms"] }),
  id: Type.String({ description: "Id of an item, its colons as they are or encoded.", examples: ["taxid:562"] }),
});

/** A query string: documented as a schema, read as a `Query`. */
const parameters = (properties: Record<string, TSchema>) => Type.Unsafe<Query>(Type.Object(properties));

const optional = (schema: TSchema) => Type.Optional(schema);

const window = (sizeMax: number, more: string) => ({
  q: optional(
    Type.String({
      default: "",
      description: "Query: words, phrases, fields, ranges, Boolean operators (docs/search-syntax.md). Any text is one.",
      examples: ['"serum albumin"'],
    }),
  ),
  suggest: optional(
    Type.String({ description: "Instead of q, as you type: plain text whose last word may be unfinished." }),
  ),
  page: optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description: `Page times size may reach ${LIMITS.pageWindowMax}; the cursor goes beyond.`,
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
    Type.String({ description: "Instead of page: `*`, then what the link `next` carries; goes on without end." }),
  ),
  l: optional(choice(["list"], { description: "Layout; there is one." })),
  facets: optional(choice(["none"], { description: "Leaves the aggregations out." })),
  facet_size: optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.facetBucketsMax,
      default: LIMITS.facetBucketsDefault,
      description: "Keys per facet at most; selected ones are always there.",
    }),
  ),
  highlight: optional(
    Type.Boolean({ default: false, description: "Adds to each hit the fragments that matched, as `highlight`." }),
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
        "for several keys (any of them); different facets must all hold. An answer's `aggregations` name the facets " +
        "and their keys.",
    }),
  ),
});

const sort = (names: readonly string[], without: string) =>
  Type.Optional(choice(names, { description: `Default: ${without} without a query, else bestmatch.` }));

const RECORD_SORTS = ["newest", "oldest", "bestmatch"];

const ALL_VERSIONS = Type.Optional(Type.Boolean({ description: "Older published versions too." }));

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
  shared: Type.Optional(Type.Boolean({ description: "Drafts that others shared with the caller, instead of own." })),
});

export const TermSearchQuery = parameters({
  ...window(LIMITS.termPageSizeMax, "; more is served as that, with a warning"),
  sort: sort(["newest", "title", "oldest", "bestmatch"], "title"),
  ids: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: LIMITS.idsMax,
      description: "Fetches these items, in this order, instead of searching.",
    }),
  ),
  parent: Type.Optional(Type.String({ description: "Children of this item only (where there is a hierarchy)." })),
  ancestor: Type.Optional(Type.String({ description: "Descendants of this item only (where there is a hierarchy)." })),
});

const single = {
  expand: Type.Optional(Type.Boolean({ description: "Adds `expanded`, which some clients read." })),
};

export const SingleQuery = parameters(single);
export const CreateQuery = parameters({
  ...single,
  validate: optional(choice(VALIDATE, { description: "Says what is wrong with the body, and makes no draft." })),
});

const { page, size, p, s } = window(LIMITS.recordPageSizeMax, "");

/** Of lists that nobody searches. */
export const PageQuery = parameters({ page, size, p, s });
export const ChangesQuery = parameters({
  since: optional(
    Type.String({ default: "0", description: "`next` of the answer before; `0` begins.", examples: ["0"] }),
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
      description: "Seconds to wait for a change where there is none yet.",
    }),
  ),
  format: optional(
    choice(["json", "ndjson"], { description: "ndjson: all changes that there are now, one per line; before Accept." }),
  ),
});

export const NoQuery = parameters({});

export const SchemaQuery = parameters({
  refs: optional(
    choice(REFS, {
      description: "kept (the default): shared parts stand once, in `$defs`. resolved: each where it is used.",
    }),
  ),
});

export const IfNoneMatch = Type.Object({
  "if-none-match": Type.Optional(Type.String({ description: "An ETag: 304 where it is still current." })),
});

export const IfMatch = Type.Object({
  "if-match": Type.Optional(
    Type.String({ description: "The revision to change, quoted or bare: 412 if it is not current." }),
  ),
});

/** The page of a list that has one order and no query. */
export const ListQuery = parameters({
  sort: optional(choice(["newest"])),
  l: optional(choice(["list"], { description: "Layout; there is one." })),
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
    Type.String({ description: "The revision of the published record, quoted or bare: 412 if it is not current." }),
  ),
  "idempotency-key": Type.Optional(
    Type.String({
      maxLength: LIMITS.idempotencyKeyLengthMax,
      description: "Makes it safe to send the request again: it gets the first answer.",
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
