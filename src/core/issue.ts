/** Problems and notes in answers, each at a place of what was sent. */
import { Type } from "typebox";
import { type Answer, json, ref, text } from "./answer.js";

export const Issue = Type.Object(
  {
    field: text("A path in the body, or the name of a parameter.", ["metadata.contributors.0.id"]),
    pointer: text("JSON pointer to the same place.", ["/metadata/contributors/0/id"]),
    code: text("Stable; docs/errors.md lists all codes.", ["TERM_UNKNOWN"]),
    messages: Type.Array(Type.String()),
    value: Type.Optional(json("The value that was sent.")),
    allowed: Type.Optional(Type.Array(json(), { description: "The allowed values, if listed." })),
    nearest: Type.Optional(Type.Array(json(), { description: "Suggestions, best first." })),
  },
  { $id: "Issue", description: "One problem at one place, and how to fix it." },
);
/** An entry of `errors`. `core/issue-codes.ts` has the codes. */
export type Issue = Answer<typeof Issue>;

export const Warning = Type.Object(
  {
    code: text("Stable; docs/errors.md lists all codes.", ["UNKNOWN_PARAMETER"]),
    message: Type.String(),
    field: Type.Optional(text("A path in the body.")),
    parameter: Type.Optional(text("The name of a parameter.")),
    value: Type.Optional(json("The value that was dropped.")),
    nearest: Type.Optional(
      Type.Array(json(), { description: "Known names or terms that are similar to the value that was sent." }),
    ),
  },
  { $id: "Warning", description: "A note on what was changed or ignored; a request with warnings succeeds." },
);
/** An entry of `warnings`. */
export type Warning = Answer<typeof Warning>;

/** Warnings of an answer. */
export const Warnings = Type.Optional(Type.Array(ref(Warning), { description: "Absent if there are none." }));
