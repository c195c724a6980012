import { type TSchema, Type } from "typebox";
import { choice, instant, link, ref, text, Warnings } from "./components.js";

const Change = Type.Object(
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
    id: text("Id of the record or of the term.", ["zv0gv-btp27"]),
    model: Type.Optional(text("Of records only.", ["mst"])),
    vocabulary: Type.Optional(text("Of terms only.", ["organisms"])),
    revision_id: Type.Integer({ minimum: 1, description: "The revision after the change." }),
    links: Type.Object({ self: link("The current record or term; returns 410 after its removal.") }),
  },
  { $id: "Change", description: "A change of a published record or of a term." },
);

const ChangePage = Type.Object(
  {
    changes: Type.Array(ref("Change")),
    next: text("The value of `since` for the next request; always present."),
    warnings: Type.Optional(Warnings),
  },
  { $id: "ChangePage", description: "Changes in commit order." },
);

/** The shapes of the change feed. */
export const CHANGE_COMPONENTS: readonly TSchema[] = [Change, ChangePage];
