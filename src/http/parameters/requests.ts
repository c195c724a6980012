/** Parts of requests: parameters of paths, query parameters, headers and bodies. */
import { Type } from "typebox";
import { choice } from "../../core/answer.js";
import { LIMITS } from "../../core/limits.js";
import { declareQuery, parameter } from "./parameter.js";
import { IF_MATCH_PATTERN, KEY_PATTERN } from "./request-headers.js";

/** Path parameters of a model. */
export const ModelParams = Type.Object({
  model: Type.String({ description: "Name of a model.", examples: ["mst"] }),
});

/** Path parameters of a record or draft. */
export const RecordParams = Type.Object({
  model: Type.String({ description: "Name of a model.", examples: ["mst"] }),
  id: Type.String({ description: "Id of a record; not case-sensitive.", examples: ["zv0gv-btp27"] }),
});

/** Path parameters of a share. */
export const GrantParams = Type.Object({
  ...RecordParams.properties,
  user: Type.String({ description: "Name of a user, or their id.", examples: ["ada"] }),
});

/** Path parameters of a token. */
export const TokenParams = Type.Object({
  id: Type.String({ description: "Id of one of the caller's tokens.", examples: ["7"] }),
});

/** Path parameters of a vocabulary. */
export const VocabularyParams = Type.Object({
  vocabulary: Type.String({ description: "Name of a vocabulary.", examples: ["organisms"] }),
});

/** Path parameters of a term. */
export const TermParams = Type.Object({
  vocabulary: Type.String({ description: "Name of a vocabulary.", examples: ["organisms"] }),
  id: Type.String({ description: "Id of a term; its colons may be percent-encoded.", examples: ["taxid:562"] }),
});

/** Path parameters of a molecule. */
export const MoleculeParams = Type.Object({
  id: Type.String({
    description:
      "Id of a molecule: `uniprot:`, `pdb:`, `inchikey:` (also its first block), `chebi:`, `cid:`, or any other " +
      "prefix of an id in records. Its colon may be percent-encoded. Other forms of an id redirect to this one.",
    examples: ["uniprot:P00698"],
  }),
});

/** Query without parameters. */
export const NoQuery = declareQuery({});

const LOOKUP_PAGES = LIMITS.pageWindowMax / LIMITS.lookupPageSize;

/** Query parameters of a search at an authority. */
export const LookupQuery = declareQuery({
  q: parameter(
    Type.String({
      maxLength: LIMITS.lookupCodePointsMax,
      description: "Required: the text that the authority searches for, by its own rules.",
      examples: ["Charles University"],
    }),
    { default: "" },
  ),
  page: parameter(Type.Integer({ minimum: 1, maximum: LOOKUP_PAGES, description: "Number of the page." }), {
    alias: "p",
    default: 1,
  }),
});

/** Query parameters of the picture of a structure. */
export const StructureQuery = declareQuery({
  v: parameter(
    Type.Integer({
      minimum: 1,
      description:
        "Revision of the term. If it is the current one, the picture may be kept without asking again. A replaced " +
        "term with this revision is drawn itself instead of its successor.",
    }),
  ),
});

/** Query parameters of requests whose answer is a single record or draft. */
export const SingleQuery = declareQuery({
  expand: parameter(Type.Boolean({ description: "Adds the member `expanded`, which some clients read." }), {
    default: false,
  }),
});

const EXPAND_VALUES = ["true", "1", "false", "0", "checks"];

/** The parameter `expand` of a request that reads a record or draft. */
export const expandParameter = parameter(
  Type.String({
    description:
      "`checks` adds `checks`: whether the numbers of the record agree with each other. `true` adds the member " +
      "`expanded`, which some clients read. Both: `true,checks`.",
    examples: ["checks"],
  }),
  {
    default: "false",
    check: (value) =>
      expandNames(value).every((name) => EXPAND_VALUES.includes(name))
        ? undefined
        : {
            message: `The parameter "expand" must be true, 1, false, 0 or checks, not "${value}".`,
            allowed: EXPAND_VALUES,
          },
  },
);

const expandNames = (text: string): readonly string[] => text.split(",").filter((name) => name !== "");

/** Reads the values of `expand`, with commas between them. */
export function readExpand(text: string): { readonly isExpanded: boolean; readonly hasChecks: boolean } {
  const names = expandNames(text);
  return { isExpanded: names.includes("true") || names.includes("1"), hasChecks: names.includes("checks") };
}

const validate = (resource: string) =>
  parameter(choice(["only"], { description: `\`only\` validates the body and creates no ${resource}.` }), {
    refusal: (value) =>
      `The parameter "validate" must be "only", not "${value}"; leave it out to create a ${resource}.`,
  });

/** Query parameters of a request that creates a draft. */
export const CreateQuery = declareQuery({ ...SingleQuery.parameters, validate: validate("draft") });

/** Query parameters of a request that adds a term. */
export const CreateTermQuery = declareQuery({ validate: validate("term") });

/** Query parameters of the change feed. */
export const ChangesQuery = declareQuery({
  since: parameter(
    Type.String({
      minLength: 1,
      description: "`next` of the previous response; `0` for the first request.",
      examples: ["0"],
    }),
    { default: "0" },
  ),
  size: parameter(Type.Integer({ minimum: 1, maximum: LIMITS.changePageSizeMax, description: "Changes per page." }), {
    alias: "s",
    default: LIMITS.changePageSizeDefault,
  }),
  wait: parameter(
    Type.Number({
      minimum: 0,
      maximum: LIMITS.changeWaitSecondsMax,
      description: "Seconds to wait for a change if there is none yet.",
    }),
    {
      default: 0,
      refusal: () => `The parameter "wait" must be a number of seconds from 0 to ${LIMITS.changeWaitSecondsMax}.`,
    },
  ),
  format: parameter(
    choice(["json", "ndjson"], {
      description: "ndjson: all changes until now, one per line; takes precedence over Accept.",
    }),
  ),
});

/** Query parameters of the schema of a model. */
export const SchemaQuery = declareQuery({
  refs: parameter(
    choice(["kept", "resolved"], {
      description: "kept: shared parts are in `$defs`. resolved: each is copied to where it is used.",
    }),
    { default: "kept" },
  ),
});

/** Headers of a conditional read. */
export const IfNoneMatch = Type.Object({
  "if-none-match": Type.Optional(Type.String({ description: "An ETag; the response is 304 if it is still current." })),
});

/** Headers of a write to a known revision. */
export const IfMatch = Type.Object({
  "if-match": Type.Optional(
    Type.String({
      pattern: IF_MATCH_PATTERN,
      description: "The revision to change, with or without quotes; the response is 412 if it is not current.",
    }),
  ),
});

/** Headers of an action on a known revision, which may be repeated. */
export const IfMatchOnce = Type.Object({
  "if-match": Type.Optional(
    Type.String({
      pattern: IF_MATCH_PATTERN,
      description:
        "The revision of the published record, with or without quotes; the response is 412 if it is not current.",
    }),
  ),
  "idempotency-key": Type.Optional(
    Type.String({
      pattern: KEY_PATTERN,
      description: "Makes it safe to repeat the request: a repetition gets the response of the first one.",
    }),
  ),
});

/** Declares a body, which is read as text; `undefined` if there is none. */
const body = (name: string) => Type.Unsafe<string | undefined>({ $ref: `${name}#` });

/** Body with the metadata of a record, by the schema `Deposit`. */
export const DepositBody = body("Deposit");
/** Body of a share. */
export const GrantBody = body("GrantBody");
/** Body of a new token. */
export const TokenBody = body("TokenBody");
/** Body of a term. */
export const TermBody = body("TermBody");
/** Body with changes of a term. */
export const TermPatchBody = body("TermPatch");
/** Body that names the term into which a term is merged. */
export const TermMergeBody = body("TermMerge");
/** Body with the reason of a retraction. */
export const RemovalBody = body("Removal");
