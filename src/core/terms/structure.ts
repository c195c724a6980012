import type { Vocabulary } from "../catalog/types.js";
import { type JsonObject, own } from "../json.js";
import { storedItem } from "./term-row.js";

/** What the picture of a term's structure is drawn from. */
export interface Structure {
  /** In SMILES. */
  readonly text: string;
  /** Of the term. */
  readonly revision: number;
}

/** Returns the structure of a term as its JSON has it, or undefined. */
export function structureOf(
  { structure }: Pick<Vocabulary, "structure">,
  term: { readonly id: string; readonly json: string },
): Structure | undefined {
  // Most terms of most pages have none, and need not be parsed.
  if (structure === undefined || !term.json.includes(`"${structure}"`)) return undefined;
  const { props, revision_id } = storedItem<{ readonly props: JsonObject; readonly revision_id: number }>(term);
  const text = own(props, structure);
  return typeof text === "string" && text.trim() !== "" ? { text: text.trim(), revision: revision_id } : undefined;
}
