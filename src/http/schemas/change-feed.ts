import { type TSchema, Type } from "typebox";
import { choice, instant, link, ref, text, Warnings } from "./components.js";

const Change = Type.Object(
  {
    seq: Type.Integer({
      minimum: 1,
      description: "Rises in the order of commits; entries of one import have the same.",
    }),
    time: instant("When it was committed."),
    kind: choice(["record", "term"]),
    action: choice(["published", "created", "updated", "removed"], {
      description: "Records are published, updated and removed; items created, updated and removed.",
    }),
    id: text("Of the record or the item.", ["zv0gv-btp27"]),
    model: Type.Optional(text("Of a record.", ["mst"])),
    vocabulary: Type.Optional(text("Of an item.", ["organisms"])),
    revision_id: Type.Integer({ minimum: 1, description: "The revision that it had then." }),
    links: Type.Object({ self: link("The record or item as it is now; 410 once it was removed.") }),
  },
  { $id: "Change", description: "A change of a published record or of an item." },
);

const ChangePage = Type.Object(
  {
    changes: Type.Array(ref("Change")),
    next: text("What to send as `since` to go on; always there."),
    warnings: Type.Optional(Warnings),
  },
  { $id: "ChangePage", description: "Changes in the order of commits." },
);

/** The shapes of the change feed. */
export const CHANGE_COMPONENTS: readonly TSchema[] = [Change, ChangePage];
