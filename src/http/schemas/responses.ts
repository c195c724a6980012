import { type TSchema, Type } from "typebox";
import { ref } from "./components.js";

type Headers = Readonly<Record<string, TSchema>>;

/** A JSON answer of the document. */
export function json(schema: TSchema, description: string, headers: Headers = {}) {
  const content = { "application/json": { schema } };
  return { description, content, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

/** An object that is described elsewhere. */
export const ANY_OBJECT = Type.Object({}, { additionalProperties: true });

/** An answer without a body. */
export function empty(description: string, headers: Headers = {}) {
  return { type: "null", description, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

export const ETAG: Headers = { ETag: Type.String({ description: "The revision, in quotes." }) };
export const CONTENT_ETAG: Headers = { ETag: Type.String({ description: "Changes with the content." }) };
export const INDEX_BEHIND: Headers = {
  "Bindery-Index": Type.String({
    description:
      "`behind=<changes>`: the answer lacks the last changes of the store, as `index` says in it. Absent: it is exact.",
    examples: ["behind=3120"],
  }),
};
export const LOCATION: Headers = { Location: Type.String({ format: "uri" }) };

/** The answer to a parent id in place of a record's. */
export const MOVED_TO_LATEST = empty(
  "The id is that of a parent; Location is the path of the latest version.",
  LOCATION,
);

/** What may go wrong, with any request and with this one. */
export const PROBLEMS = {
  "4xx": json(ref("Problem"), "The request is not valid or not possible; `code` says why."),
  "5xx": json(ref("Problem"), "The service failed; 503 has a Retry-After header."),
};

/** A token is needed. */
export const NEEDS_TOKEN = [{ token: [] }];

/** A draft that was opened, or was open already. */
export const OPENED = {
  200: json(ref("Record"), "The draft that was already open.", ETAG),
  201: json(ref("Record"), "The draft.", { ...ETAG, ...LOCATION }),
  ...PROBLEMS,
};
