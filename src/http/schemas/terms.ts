/** What curators send of an item. */
import { type TSchema, Type } from "typebox";
import { choice, text } from "./components.js";

const open = (description: string) => Type.Unsafe({ type: "object", description, additionalProperties: true });

const TermBody = Type.Object(
  {
    id: Type.Optional(text("Of the form that the vocabulary declares; a PUT may leave it out.", ["chem:42"])),
    title: open('By language: {"en": "Lysozyme"}.'),
    props: Type.Optional(open("What the vocabulary declares beside.")),
    synonyms: Type.Optional(Type.Array(Type.Unknown(), { description: "Texts, or {name, kind, lang}." })),
    parent: Type.Optional(Type.Unknown({ description: "Id of the item above, where the vocabulary is a hierarchy." })),
    status: Type.Optional(choice(["active", "deprecated"])),
    replaced_by: Type.Optional(text("Id of the successor of a deprecated item.")),
  },
  {
    $id: "TermBody",
    description: "What the service owns is ignored, so an item that was read can be sent back; other keys are a 400.",
  },
);

/** Shared schemas, after those of `components.ts`. */
export const TERM_COMPONENTS: readonly TSchema[] = [TermBody];
