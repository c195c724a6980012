import type { Vocabulary } from "../catalog/types.js";
import { type JsonObject, own } from "../json.js";

/** What the picture of a term's structure is drawn from. */
export interface Structure {
  /** In SMILES. */
  readonly text: string;
  /** Of the term. */
  readonly revision: number;
}

/** The structure of a term, as its JSON has it; undefined where it has none. */
export function structureOf({ structure }: Pick<Vocabulary, "structure">, json: string): Structure | undefined {
  // Most terms of most pages have none, and need not be parsed.
  if (structure === undefined || !json.includes(`"${structure}"`)) return undefined;
  const { props, revision_id } = JSON.parse(json) as { readonly props: JsonObject; readonly revision_id: number };
  const text = own(props, structure);
  return typeof text === "string" && text.trim() !== "" ? { text: text.trim(), revision: revision_id } : undefined;
}
