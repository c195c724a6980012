import type { Vocabulary } from "../catalog/types.js";
import { type JsonObject, own } from "../json.js";
import { parseStoredTerm } from "./term-row.js";

/** The chemical structure of a term, from which its picture is drawn. */
export interface Structure {
  /** In SMILES. */
  readonly text: string;
  /** Revision of the term. */
  readonly revision: number;
}

/** Returns the structure in the JSON of a term, or undefined. */
export function structureOf(
  { structure }: Pick<Vocabulary, "structure">,
  term: { readonly id: string; readonly json: string },
): Structure | undefined {
  // Most terms have none and need not be parsed.
  if (structure === undefined || !term.json.includes(`"${structure}"`)) return undefined;
  const { props, revision_id } = parseStoredTerm<{ readonly props: JsonObject; readonly revision_id: number }>(term);
  const text = own(props, structure);
  return typeof text === "string" && text.trim() !== "" ? { text: text.trim(), revision: revision_id } : undefined;
}
