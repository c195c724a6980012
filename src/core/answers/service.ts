/** Answers about the service itself: its links, the changes of its data, its errors, its health. */
import { Type } from "typebox";
import { type Answer, choice, instant, link, ref, text } from "../answer.js";
import { THREAD_ENDS } from "../background.js";
import { ERRORS, type ErrorCode } from "../errors.js";
import { Issue, Warnings } from "../issue.js";
import { Tombstone } from "../record.js";

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

/** Schema of the answer of a living process. */
export const Health = Type.Object({ status: Type.Literal("ok") });

/** Schema of a background task that fails. */
const TaskFailure = Type.Object({
  task: Type.String(),
  source: Type.String({ description: "The thread that runs the task." }),
  message: Type.String(),
  first: Type.String({ format: "date-time" }),
  last: Type.String({ format: "date-time" }),
  times: Type.Integer({ description: "Errors since it last succeeded." }),
});

/** Schema of the check after an unclean shutdown. */
const IntegrityCheck = Type.Object(
  {
    state: Type.Enum(["running", "passed", "failed"]),
    kind: Type.Optional(Type.String()),
    problems: Type.Optional(Type.Integer()),
    seconds: Type.Optional(Type.Number()),
  },
  { description: "The integrity check of the database after an unclean shutdown." },
);

/** Schema of the state of the search index. */
const IndexState = Type.Object(
  {
    behind_changes: Type.Integer({
      description: "Number of public changes that it does not show yet. The metrics also count changes of drafts.",
    }),
    behind_seconds: Type.Number({ description: "Age of the first of these changes." }),
    refused: Type.Integer({
      description: "Number of records and terms that OpenSearch refused; searches evaluate these themselves.",
    }),
    warning: Type.Optional(Type.String({ description: "It is behind by more than `BINDERY_OVERLAY_MAX` changes." })),
    being_made: Type.Optional(Type.Boolean({ description: "`true` until searches can use an index." })),
  },
  { description: "The search index in OpenSearch." },
);

/** Schema of a thread that does not answer. */
const UnavailableThread = Type.Object({
  thread: Type.String({ description: "`search`, `loader`, `writer`, `preparing`, `process`, ..." }),
  source: Type.String({ description: "Its name in the log, which begins with the name of its process if it has one." }),
  reason: Type.Enum([...THREAD_ENDS]),
  state: Type.Enum(["silent", "restarting"]),
  since: Type.String({ format: "date-time" }),
});

/** Schema of the answer of a service that is ready. */
export const Readiness = Type.Object({
  status: Type.Literal("ready"),
  warning: Type.Optional(
    Type.String({
      description:
        "A problem with its reason and remedy: nothing can be written (reads still work), or log lines are lost.",
    }),
  ),
  index: Type.Optional(IndexState),
  integrity_check: Type.Optional(IntegrityCheck),
  threads: Type.Optional(
    Type.Array(UnavailableThread, { description: "Threads and processes of the service that do not answer." }),
  ),
  background_errors: Type.Optional(Type.Array(TaskFailure, { description: "Background tasks that currently fail." })),
});
export type Readiness = Answer<typeof Readiness>;
