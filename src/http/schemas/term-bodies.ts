/** Schemas of the bodies of requests about terms. */
import { Type } from "typebox";
import { choice, ref, text } from "../../core/answer.js";
import { LIMITS } from "../../core/limits.js";
import { LANGUAGE_TAG, TERM_SERVER_KEYS } from "../../core/term.js";
import { LINE_PATTERN } from "../../services/input/characters.js";
import { OTHER_MEMBERS, ShowableJson } from "./bodies.js";

const line = Type.String({ pattern: LINE_PATTERN, minLength: 1 });
const titleText = Type.String({ ...line, maxLength: LIMITS.termTitleLengthMax });
const languageTag = Type.String({ pattern: LANGUAGE_TAG.source });

const title = Type.Union(
  [titleText, Type.Object({}, { propertyNames: languageTag, additionalProperties: titleText, minProperties: 1 })],
  { description: 'By language: {"en": "Lysozyme"}; a text alone is in the first language of the vocabulary.' },
);

const synonym = Type.Object(
  { name: line, kind: Type.Optional(line), lang: Type.Optional(languageTag) },
  { additionalProperties: false },
);

/** Declares the id of another term, alone or in an object as in responses. */
const target = (description: string) => {
  const id = Type.String({ minLength: 1, maxLength: LIMITS.termIdLengthMax });
  return Type.Union([id, Type.Object({ id }, OTHER_MEMBERS), Type.Null()], { description });
};

/** Schemas of the members of a term that the service sets. */
const serverMembers = Object.fromEntries(
  TERM_SERVER_KEYS.map((key) => [key, Type.Optional(Type.Unsafe({ ...ref(ShowableJson), description: "Ignored." }))]),
);

const optionalMembers = {
  props: Type.Optional(
    Type.Union([Type.Object({}, OTHER_MEMBERS), Type.Null()], {
      description: "The other fields that the vocabulary declares.",
    }),
  ),
  synonyms: Type.Optional(
    Type.Union([Type.Array(Type.Union([line, synonym])), Type.Null()], {
      description: "Texts, or {name, kind, lang}.",
    }),
  ),
  parent: Type.Optional(target("Id of the parent, if the vocabulary has a hierarchy.")),
  status: Type.Optional(
    Type.Union([choice(["active", "deprecated"]), Type.Null()], {
      description: "Default: active, or deprecated with `replaced_by`. An active term has no `replaced_by`.",
    }),
  ),
  replaced_by: Type.Optional(target("Id of the successor of a deprecated term.")),
  confirmed: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: "false: the term waits for a curator." }),
  ),
  ...serverMembers,
};

export const TermBody = Type.Object(
  {
    id: Type.Optional(text("Must match the pattern that the vocabulary declares; optional in a PUT.", ["taxid:562"])),
    title,
    ...optionalMembers,
  },
  {
    $id: "TermBody",
    description:
      "Members that the service sets are ignored, so a response can be sent back as a body; other keys are an error. " +
      "null stands for an absent member.",
    additionalProperties: false,
  },
);

export const TermPatch = Type.Object(
  {
    id: Type.Optional(text("Must be the id of the path.")),
    title: Type.Optional(
      Type.Union([
        titleText,
        Type.Object({}, { propertyNames: languageTag, additionalProperties: Type.Union([titleText, Type.Null()]) }),
      ]),
    ),
    ...optionalMembers,
  },
  {
    $id: "TermPatch",
    description:
      "A JSON merge patch (RFC 7396) of the term: absent members do not change, null removes, lists are replaced. " +
      '`{"title": {"en": "Lysozyme C"}, "props": {"rank": null}}`',
    additionalProperties: false,
  },
);

export const TermMerge = Type.Object(
  { into: text("Id of the term that replaces this one; if that was replaced, its successor does.", ["taxid:9606"]) },
  { $id: "TermMerge", additionalProperties: false },
);
