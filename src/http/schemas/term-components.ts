/** What curators send of an item. */
import { type TSchema, Type } from "typebox";
import { choice, link, text } from "./components.js";

const open = (description: string) => Type.Unsafe({ type: "object", description, additionalProperties: true });

const TermBody = Type.Object(
  {
    id: Type.Optional(text("Must match the pattern that the vocabulary declares; optional in a PUT.", ["chem:42"])),
    title: open('By language: {"en": "Lysozyme"}.'),
    props: Type.Optional(open("The other fields that the vocabulary declares.")),
    synonyms: Type.Optional(Type.Array(Type.Unknown(), { description: "Texts, or {name, kind, lang}." })),
    parent: Type.Optional(Type.Unknown({ description: "Id of the parent, if the vocabulary has a hierarchy." })),
    status: Type.Optional(choice(["active", "deprecated"])),
    replaced_by: Type.Optional(text("Id of the successor of a deprecated item.")),
  },
  {
    $id: "TermBody",
    description:
      "Members that the service sets are ignored, so a response can be sent back as a body; other keys are an error.",
  },
);

const TermLinks = Type.Object(
  {
    self: link("The term."),
    self_html: link("Its page, for people."),
    structure: Type.Optional(link("A picture of the compound, if the term has its structure.")),
  },
  { $id: "TermLinks" },
);

/** Shared schemas, after those of `components.ts`. */
export const TERM_COMPONENTS: readonly TSchema[] = [TermBody, TermLinks];
