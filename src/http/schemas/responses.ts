import { type TSchema, Type } from "typebox";
import { ref } from "../../core/answer.js";
import { AnsweredRecord } from "../../core/answers/records.js";
import { Problem } from "../../core/answers/service.js";

type Headers = Readonly<Record<string, TSchema>>;

/** Declares a JSON answer. */
export function jsonAnswer(schema: TSchema, description: string, headers: Headers = {}) {
  const content = { "application/json": { schema } };
  return { description, content, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

/** Schema of an object that is described elsewhere. */
export const ANY_OBJECT = Type.Object({}, { additionalProperties: true });

/** Declares an answer without a body. */
export function emptyAnswer(description: string, headers: Headers = {}) {
  return { type: "null", description, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

/** Header with the revision of a resource. */
export const ETAG: Headers = { ETag: Type.String({ description: "The revision, in quotes." }) };
/** Header with the digest of a resource without revisions. */
export const CONTENT_ETAG: Headers = { ETag: Type.String({ description: "Changes with the content." }) };
/** Header of an answer that lacks recent changes. */
export const INDEX_BEHIND: Headers = {
  "Bindery-Index": Type.String({
    description:
      "`behind=<changes>`: number of recent changes that the answer lacks, as in `index`. Absent if it is exact.",
    examples: ["behind=3120"],
  }),
};
/** Header with the address of a new or moved resource. */
export const LOCATION: Headers = { Location: Type.String({ format: "uri" }) };

/** Answer to a request with a parent id instead of the id of a record. */
export const MOVED_TO_LATEST = emptyAnswer(
  "The id is that of a parent; Location is the path of the latest version.",
  LOCATION,
);

/** Answers of all routes with an error. */
export const PROBLEMS = {
  "4xx": jsonAnswer(ref(Problem), "The request is not valid or not possible; `code` says why."),
  "5xx": jsonAnswer(ref(Problem), "The service failed; 503 has a Retry-After header."),
};

/** Security of routes that need a token. */
export const NEEDS_TOKEN = [{ token: [] }];

/** Answers with an opened draft, which may be new. */
export const OPENED = {
  200: jsonAnswer(ref(AnsweredRecord), "The draft that was already open.", ETAG),
  201: jsonAnswer(ref(AnsweredRecord), "The draft.", { ...ETAG, ...LOCATION }),
  ...PROBLEMS,
};
