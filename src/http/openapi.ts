import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import type { TSchema } from "typebox";
import { Grant, GrantList, NewToken, Token, TokenList } from "../core/answers/accounts.js";
import { FieldList, ListedField, ListedUnit, ModelList, ModelSummary, UnitList } from "../core/answers/models.js";
import { Molecule, MoleculeFigure, MoleculePartner, MoleculeResult } from "../core/answers/molecule-answers.js";
import { Completion, QueryPart, QueryText, QueryWarning } from "../core/answers/query-text.js";
import {
  AnsweredCheck,
  AnsweredRecord,
  FileList,
  RecordLinks,
  RecordPage,
  RecordValidation,
} from "../core/answers/records.js";
import { Aggregation, Highlight, SearchLinks } from "../core/answers/searches.js";
import { Problem, PublicChange, PublicChangePage, ServiceSummary } from "../core/answers/service.js";
import {
  EditedField,
  Term,
  TermChange,
  TermHistory,
  TermLinks,
  TermLookup,
  TermLookupHit,
  TermPage,
  TermValidation,
  VocabularyList,
  VocabularySource,
  VocabularySummary,
} from "../core/answers/term-answers.js";
import { Issue, Warning } from "../core/issue.js";
import { AsCitedList, Tombstone } from "../core/record.js";
import { API_TYPES } from "./parameters/request-headers.js";
import {
  Deposit,
  GrantBody,
  Removal,
  ShowableJson,
  TermBody,
  TermMerge,
  TermPatch,
  TokenBody,
} from "./schemas/bodies.js";

const TAGS = [
  { name: "Records", description: "Search and read published records." },
  { name: "My records", description: "Search the caller's own records and drafts; requires a token." },
  { name: "Deposit", description: "Create, change and publish drafts; requires a token." },
  { name: "Sharing", description: "Let other users read or replace a draft; for its owner and for admins." },
  { name: "Tokens", description: "The caller's own tokens." },
  { name: "Models", description: "The schema and an example of each kind of record." },
  { name: "Vocabularies", description: "The terms that records cite." },
  { name: "Changes", description: "All changes of published records and terms, for clients that keep a copy." },
  { name: "Service", description: "About the service itself." },
];

/** Returns the options for the OpenAPI document. @param version version of the package */
export const describeApi = (version: string): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: "3.1.0",
    info: {
      title: "Bindery",
      version,
      description:
        "Metadata records of biophysical measurements, their full-text search, and the vocabularies they cite. " +
        "Paths work with and without a trailing slash; HEAD works wherever GET does.",
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: TAGS,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "Created with `bindery token create`, or at /api/user/tokens.",
        },
      },
    },
  },
  transform: ({ schema, url, route }) => ({ schema: addFormats(schema, route.config?.produces), url }),
  transformObject: (document) => ("openapiObject" in document ? hoistMembers(document.openapiObject) : {}),
  refResolver: {
    buildLocalReference: (json, _base, _fragment, index) =>
      typeof json.$id === "string" ? json.$id : `schema-${index}`,
  },
});

type Schema = Parameters<NonNullable<FastifyDynamicSwaggerOptions["transform"]>>[0]["schema"];
type Content = Readonly<Record<string, object>>;
interface Success {
  readonly content?: Content;
}

/** Adds the media types that a route also produces to the JSON that its 200 response declares. */
function addFormats(schema: Schema, produces: readonly string[] | "any" = []): Schema {
  const responses = schema?.response as Readonly<Record<string, Success>> | undefined;
  const declared = responses?.[200]?.content;
  if (declared === undefined || produces === "any") return schema;
  const furtherTypes = produces.filter((type) => !(type in declared) && !API_TYPES.includes(type));
  const formats = Object.fromEntries(furtherTypes.map((type) => [type, { schema: { type: bodyType(type) } }]));
  const success = { ...responses![200], content: { ...declared, ...formats } };
  return { ...schema, response: { ...responses, 200: success } };
}

/** Returns the JSON Schema type of a body: tools parse a body as JSON if its media type is JSON. */
const bodyType = (mediaType: string): string | string[] =>
  /[/+]json$/.test(mediaType) ? ["object", "array"] : "string";

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions["transformObject"]>>;

/** Moves members that belong to the parameter out of its schema, where the generator leaves them. */
function hoistMembers(document: Document): Document {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}));
  for (const operation of operations) {
    for (const parameter of (operation as { parameters?: Styled[] }).parameters ?? []) {
      for (const member of HOISTED) {
        if (parameter.schema[member] === undefined) continue;
        Object.assign(parameter, { [member]: parameter.schema[member] });
        delete parameter.schema[member];
      }
    }
  }
  return document;
}

const HOISTED = ["style", "explode", "x-not-with"] as const;

interface Styled {
  schema: Partial<Record<(typeof HOISTED)[number], unknown>>;
}

/**
 * All components of the OpenAPI document, in its order. Answers are texts from the services, so the server does not
 * check or filter them by these schemas; tests do.
 */
export const COMPONENTS: readonly TSchema[] = [
  Issue,
  Warning,
  Tombstone,
  Problem,
  Highlight,
  RecordLinks,
  AnsweredCheck,
  AnsweredRecord,
  FileList,
  Aggregation,
  SearchLinks,
  Term,
  RecordPage,
  MoleculeFigure,
  MoleculePartner,
  MoleculeResult,
  Molecule,
  TermPage,
  VocabularyList,
  QueryPart,
  Completion,
  QueryWarning,
  QueryText,
  ModelSummary,
  RecordValidation,
  ModelList,
  ListedField,
  FieldList,
  ListedUnit,
  UnitList,
  PublicChange,
  PublicChangePage,
  Grant,
  GrantBody,
  Token,
  NewToken,
  TokenBody,
  TokenList,
  GrantList,
  TermBody,
  TermValidation,
  TermPatch,
  TermMerge,
  TermLinks,
  AsCitedList,
  EditedField,
  TermChange,
  VocabularySource,
  VocabularySummary,
  TermLookupHit,
  TermLookup,
  TermHistory,
  ServiceSummary,
  ShowableJson,
  Deposit,
  Removal,
];
