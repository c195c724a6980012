/** Answers about the health of the service. */
import { Type } from "typebox";
import type { Answer } from "../answer.js";
import { THREAD_ENDS } from "../background.js";

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
