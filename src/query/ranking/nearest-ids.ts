/** How an id that a vocabulary does not have is compared with ids and names. Engines look up the terms. */
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import { countEdits } from "../../core/nearest.js";
import { localPart, nameKey } from "../index-model/term-keys.js";
import { analyse } from "../text/analyse.js";

/** Number of ids before and after the place of the unknown one that are compared with it: they begin alike. */
export const NEIGHBOURS = 20;

/** Ids within this number of edits are near; others only as far as they begin alike. */
const EDITS_MAX = 2;

/** Length from which a text with digits may be an id with a mistake. A shorter one (`T200`) is a part of a name. */
const MISTAKEN_ID_LENGTH_MIN = 5;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789-_:./"];

type IdForm = Pick<Vocabulary, "idPrefixes" | "idPattern">;

/** Returns the id as written, and with the prefixes of the vocabulary if it has none. Empty if it looks like no id. */
export function spellings(id: string, vocabulary: IdForm): readonly string[] {
  const { idPrefixes } = vocabulary;
  if (id.length > LIMITS.termIdLengthMax || localPart(id).length > LIMITS.nearestIdLengthMax) return [];
  if (!mayBeId(id, vocabulary)) return [];
  return id.includes(":") || idPrefixes.length === 0 ? [id] : [id, ...idPrefixes.map((prefix) => `${prefix}:${id}`)];
}

/** Has the text the form of an id, or that of an id with a mistake? Words have not, with a prefix or without it. */
function mayBeId(text: string, vocabulary: IdForm): boolean {
  if (/\s/u.test(text)) return false;
  if (matchesPattern(text, vocabulary)) return true;
  const local = localPart(text);
  if (!hasPrefix(text, vocabulary.idPrefixes)) return /\d/u.test(local) && local.length >= MISTAKEN_ID_LENGTH_MIN;
  return /\d/u.test(local) || !/\p{Ll}/u.test(local);
}

/** Does the text, in some case of its letters and with a prefix of the vocabulary, match the pattern of its ids? */
function matchesPattern(text: string, vocabulary: IdForm): boolean {
  const prefixes = ["", ...vocabulary.idPrefixes.map((prefix) => `${prefix}:`)];
  const cases = [text, text.toLowerCase(), text.toUpperCase()];
  return prefixes.some((prefix) => cases.some((each) => hasIdForm(vocabulary, prefix + each)));
}

function hasPrefix(text: string, idPrefixes: readonly string[]): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && idPrefixes.includes(text.slice(0, colon).toLowerCase());
}

/**
 * Returns the texts that may be a name which was written in the place of an id: all of it, and what follows a prefix.
 * A prefix of the vocabulary is never part of a name.
 */
export function namesIn(id: string, { idPrefixes }: Pick<Vocabulary, "idPrefixes">): readonly string[] {
  return [...new Set(hasPrefix(id, idPrefixes) ? [localPart(id)] : [id, localPart(id)])];
}

/** Returns the keys (`nameKey`) of the names that may have been written in the place of an id. */
export function keysOfNames(id: string, vocabulary: Pick<Vocabulary, "idPrefixes">): readonly string[] {
  return namesIn(id, vocabulary).flatMap((name) => nameKey(analyse(name)) ?? []);
}

/** May an id be a part of a name, or a name with a mistake? Behind a prefix only words and texts with blanks may. */
export function mayBeName(id: string, { idPrefixes }: Pick<Vocabulary, "idPrefixes">): boolean {
  const local = localPart(id);
  if (/\s/u.test(local.trim()) || !hasPrefix(id, idPrefixes)) return /\p{L}/u.test(id);
  return /\p{L}{3}/u.test(local) && !/\p{L}\p{N}|\p{N}\p{L}/u.test(local);
}

/** Returns the ids that one edit behind the prefix makes of an id, in lower case, one place after the other. */
export function* idsOneEditAway(id: string): Generator<readonly string[]> {
  for (let at = id.length - localPart(id).length; at <= id.length; at++) {
    const head = id.slice(0, at);
    const tail = id.slice(at);
    const edited = LETTERS.flatMap((letter) => [head + letter + tail, head + letter + tail.slice(1)]);
    edited.push(head + tail.slice(1), head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2));
    yield edited;
  }
}

/** Returns how far a known id is from the unknown one, 0 for the nearest; undefined if it is not near. */
export function idDistance(unknown: string, known: string): number | undefined {
  const a = unknown.toLowerCase();
  const b = known.toLowerCase();
  const edits = Math.abs(a.length - b.length) > EDITS_MAX ? EDITS_MAX + 1 : countEdits(a, b);
  if (edits <= EDITS_MAX) return edits;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  const local = shared - (a.length - localPart(a).length);
  if (local < 1) return undefined;
  return EDITS_MAX + a.length + b.length - 2 * shared;
}
