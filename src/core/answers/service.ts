/** Answers about the service itself: its links, the changes of its data, its errors. */
import { Type } from "typebox";
import { type Answer, choice, instant, link, ref, text } from "../answer.js";
import { ERRORS, type ErrorCode } from "../errors.js";
import { Issue, Warnings } from "../issue.js";
import { Tombstone } from "../record-body.js";

export const ServiceSummary = Type.Object(
  {
    name: text("Name of the program.", ["Bindery"]),
    version: text("Version of the program; see CHANGELOG.md.", ["0.1.0"]),
    links: Type.Object({
      self: link("The service."),
      docs: link("The API reference as a page."),
      openapi: link("The API as an OpenAPI 3.1 document."),
      models: link("All models of records."),
      vocabularies: link("All vocabularies."),
      search: link("Search of the published records."),
      changes: link("The change feed."),
    }),
    warnings: Warnings,
  },
  { $id: "Service", description: "The service itself." },
);
export type ServiceSummary = Answer<typeof ServiceSummary>;

export const PublicChange = Type.Object(
  {
    seq: Type.Integer({
      minimum: 1,
      description: "Increases in commit order; all changes of one import have the same number.",
    }),
    time: instant("When it was committed."),
    kind: choice(["record", "term"]),
    action: choice(["published", "created", "updated", "removed"], {
      description: "Records are published, updated and removed; terms are created, updated and removed.",
    }),
    id: text("Id of the record or term.", ["zv0gv-btp27"]),
    model: Type.Optional(text("Only for records.", ["mst"])),
    vocabulary: Type.Optional(text("Only for terms.", ["organisms"])),
    revision_id: Type.Integer({ minimum: 1, description: "The revision after the change." }),
    links: Type.Object({ self: link("The current record or term; returns 410 after its removal.") }),
  },
  { $id: "Change", description: "A change of a published record or of a term." },
);
export type PublicChange = Answer<typeof PublicChange>;

export const PublicChangePage = Type.Object(
  {
    changes: Type.Array(ref(PublicChange)),
    next: text("The value of `since` for the next request; always present."),
    warnings: Warnings,
  },
  { $id: "ChangePage", description: "Changes in commit order." },
);
export type PublicChangePage = Answer<typeof PublicChangePage>;

export const Problem = Type.Object(
  {
    status: Type.Integer({ description: "The HTTP status.", examples: [400] }),
    code: choice(Object.keys(ERRORS) as ErrorCode[], { description: "Stable; docs/errors.md explains each." }),
    message: text("A sentence for people.", ["A page has at most 1000 hits; request several pages."]),
    errors: Type.Array(ref(Issue)),
    request_id: text("Also in the header X-Request-Id and in the server's log."),
    tombstone: Type.Optional(ref(Tombstone)),
  },
  { $id: "Problem", description: "The shape of every error." },
);
/** The body of every error. */
export type Problem = Answer<typeof Problem>;
