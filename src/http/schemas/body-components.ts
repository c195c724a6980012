/** Schemas of the bodies of requests about records. */
import { type TSchema, Type } from "typebox";
import { LIMITS } from "../../core/limits.js";
import { LINE_PATTERN, TEXT_PATTERN } from "../../services/input/characters.js";
import { ref, text } from "./components.js";

/** Schema of further members of a body: any JSON whose texts and keys can be displayed. */
export const OTHER_MEMBERS = {
  propertyNames: Type.String({ pattern: LINE_PATTERN, maxLength: LIMITS.keyLengthMax }),
  additionalProperties: ref("ShowableJson"),
} as const;

const ShowableJson = Type.Unsafe({
  $id: "ShowableJson",
  description: "JSON without control characters; texts may have line breaks and tabs, keys may not.",
  anyOf: [
    Type.Object({}, OTHER_MEMBERS),
    Type.Array(ref("ShowableJson")),
    Type.String({ pattern: TEXT_PATTERN }),
    Type.Number(),
    Type.Boolean(),
    Type.Null(),
  ],
});

const Deposit = Type.Object(
  {
    metadata: Type.Optional(
      Type.Object(
        {},
        { description: 'The record. A term is cited by its id alone: {"id": "taxid:562"}.', ...OTHER_MEMBERS },
      ),
    ),
    model: Type.Optional(text("Optional; must be the model of the path.")),
  },
  {
    $id: "Deposit",
    description:
      "Only `metadata` is read. Members that the service sets are ignored, so a response can be sent back as a body.",
    ...OTHER_MEMBERS,
  },
);

const Removal = Type.Object(
  {
    removal_reason: Type.Optional(
      text(`The reason; at most ${LIMITS.removalReasonCodePointsMax} characters.`, ["The sample was mislabelled."]),
    ),
  },
  { $id: "Removal", description: "The reason for a retraction.", additionalProperties: false },
);

/** Shared schemas, which refer to those of `components.ts`. */
export const BODY_COMPONENTS: readonly TSchema[] = [ShowableJson, Deposit, Removal];
