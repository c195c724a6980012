import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { compoundBlock } from "./inchikeys.js";

/** An item that an id names: `taxid:562` in `organisms`. */
export interface KnownId {
  readonly vocabulary: string;
  readonly id: string;
  /** The id is only the first block of an InChIKey, folded: it names all compounds whose ids begin with it. */
  readonly block?: string;
  /** Has its vocabulary no hierarchy? */
  readonly isFlat: boolean;
}

/** The item of the vocabulary that an unquoted text names, if it does; its prefix may stand in any case. */
export function idIn(vocabulary: Vocabulary, text: string): readonly KnownId[] {
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !vocabulary.idPrefixes.includes(prefix)) return [];
  const known = { vocabulary: vocabulary.name, isFlat: !vocabulary.hierarchy };
  const rest = text.slice(colon + 1);
  const spellings = [rest, rest.toLowerCase(), rest.toUpperCase()].map((spelling) => `${prefix}:${spelling}`);
  const found = spellings.find((spelling) => hasIdForm(vocabulary, spelling));
  const id =
    found === undefined
      ? vocabulary.aliases.get(text.toLowerCase())
      : (vocabulary.aliases.get(found.toLowerCase()) ?? found);
  if (id !== undefined) return [{ ...known, id }];
  const block = vocabulary.idKind === "inchikey" ? compoundBlock(rest) : undefined;
  return block === undefined ? [] : [{ ...known, id: text, block }];
}

/** The item of the vocabulary that has this other id. */
export function aliasIn({ name, aliases, hierarchy }: Vocabulary, text: string): readonly KnownId[] {
  const id = aliases.get(text.toLowerCase());
  return id === undefined ? [] : [{ vocabulary: name, id, isFlat: !hierarchy }];
}
