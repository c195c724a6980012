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

export const ETAG: Headers = { ETag: Type.String({ description: "The revision, quoted." }) };
export const CONTENT_ETAG: Headers = { ETag: Type.String({ description: "Changes with the content." }) };
export const LOCATION: Headers = { Location: Type.String({ format: "uri" }) };

/** The answer to a parent id in place of a record's. */
export const MOVED_TO_LATEST = empty("A parent id: where the latest version under it is.", LOCATION);

/** What may go wrong, with any request and with this one. */
export const PROBLEMS = {
  "4xx": json(ref("Problem"), "The request cannot be served as it is; `code` says why."),
  "5xx": json(ref("Problem"), "Our side failed; 503 carries Retry-After."),
};

/** A token is needed. */
export const NEEDS_TOKEN = [{ token: [] }];

/** A draft that was opened, or was open already. */
export const OPENED = {
  200: json(ref("Record"), "The draft that is open already.", ETAG),
  201: json(ref("Record"), "The draft.", { ...ETAG, ...LOCATION }),
  ...PROBLEMS,
};
