/** Identifiers in queries and values; an index stores all forms of an identifier. */
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { projectNumber } from "../../core/identifiers.js";
import { pastedIdentifier } from "../../core/pasted-identifiers.js";
import { analyse } from "../text/analyse.js";

/**
 * A URL with or without its scheme; the group is the text after the host. Without a scheme, the host needs a dot and an
 * alphabetic top-level domain (RFC 1123, 2.1), so that `0.5/562` is not a URL.
 */
const URL_PARTS =
  /(?<![\p{L}\d.:/@_-])(?:https?:\/\/[^\s/?#]+|(?:[\p{L}\d-]+\.)+\p{L}[\p{L}\d-]+(?::\d+)?)[/?#](\S+)/iu;

/** Maximum number of words in an identifier at the end of a URL. */
const TAIL_WORDS = 6;

/**
 * Returns the last words of a text, in which the identifier of a term may be: after the host of a URL, after a foreign
 * prefix, or in a number that is written in groups. Undefined for any other text.
 */
export function identifierTail(text: string): readonly string[] | undefined {
  const plain = text.replace(/\\(.)/gsu, "$1");
  const pasted = pastedIdentifier(plain);
  if (pasted !== undefined) return analyse(pasted.value).slice(-TAIL_WORDS);
  const rest = URL_PARTS.exec(plain)?.[1];
  if (rest !== undefined) return analyse(rest).slice(-TAIL_WORDS);
  const number = projectNumber(plain);
  return number === undefined ? undefined : analyse(number);
}

/** Term with its vocabulary: `taxid:562` in `organisms`. */
export interface KnownId {
  readonly vocabulary: string;
  readonly id: string;
  /** First block of an InChIKey, folded, if the id is only this. It matches all compounds whose ids begin with it. */
  readonly block?: string;
  /** Whether the vocabulary has no hierarchy. */
  readonly isFlat: boolean;
}

const INCHIKEY = /^(?:[a-z][a-z0-9._-]*:)?([a-z]{14})(?:-[a-z]{10}-[a-z])?$/iu;

/**
 * Returns the first block of an InChIKey, or a text that is such a block, as an analysed word. Isotopes and
 * stereoisomers of a compound share it. No other part of an InChIKey has 14 letters, so it is found as a word.
 * Undefined for any other text.
 */
export function compoundBlock(text: string): string | undefined {
  return INCHIKEY.exec(text)?.[1]?.toLowerCase();
}

/** Returns the term of a vocabulary with an unquoted id, whose prefix may be in any case; empty if there is none. */
export function idIn(vocabulary: Vocabulary, text: string): readonly KnownId[] {
  const colon = text.indexOf(":");
  const prefix = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !vocabulary.idPrefixes.includes(prefix)) return [];
  const source = { vocabulary: vocabulary.name, isFlat: !vocabulary.hierarchy };
  const rest = text.slice(colon + 1);
  const spellings = [rest, rest.toLowerCase(), rest.toUpperCase()].map((spelling) => `${prefix}:${spelling}`);
  const ownId = spellings.find((spelling) => hasIdForm(vocabulary, spelling));
  const id =
    ownId === undefined
      ? vocabulary.aliases.get(text.toLowerCase())
      : (vocabulary.aliases.get(ownId.toLowerCase()) ?? ownId);
  if (id !== undefined) return [{ ...source, id }];
  const block = vocabulary.idKind === "inchikey" ? compoundBlock(rest) : undefined;
  return block === undefined ? [] : [{ ...source, id: text, block }];
}

/** Returns the term of a vocabulary that has a text as another id. */
export function aliasIn({ name, aliases, hierarchy }: Vocabulary, text: string): readonly KnownId[] {
  const id = aliases.get(text.toLowerCase());
  return id === undefined ? [] : [{ vocabulary: name, id, isFlat: !hierarchy }];
}

/** Last parts of the paths of identifiers. */
const IDENTIFIER_NAMES = new Set([
  "id",
  "identifiers",
  "external_identifier",
  "external_databases",
  "additional_identifiers",
]);

/** Returns whether the values at a path are identifiers. */
export function isIdentifierPath(path: string): boolean {
  return IDENTIFIER_NAMES.has(path.slice(path.lastIndexOf(".") + 1));
}

const HOST = /^https?:\/\/[^/\s]+\//iu;
const PREFIX = /^[a-z][a-z0-9._-]*:/iu;

/**
 * Returns the words of an identifier in all forms in which people paste it: the whole value, without the host of its
 * URL, and without its prefix (`P69905` for `Uniprot:P69905`). Equal forms and forms without words are left out.
 */
export function identifierForms(value: string): readonly (readonly string[])[] {
  const local = value.replace(HOST, "");
  const texts = new Set([value, local, local.replace(PREFIX, "")]);
  const forms = [...texts].map(analyse).filter((words) => words.length > 0);
  return forms.length < 2 ? forms : [...new Map(forms.map((words) => [words.join(" "), words])).values()];
}
