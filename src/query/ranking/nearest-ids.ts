/** Which ids of a vocabulary are near to one that it does not have. Engines look the candidates up. */
import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import { countEdits } from "../../core/nearest.js";
import { localPart } from "../index-model/term-keys.js";

/** Ids before and after the place where the unknown one would stand that are looked at: those that begin alike. */
export const NEIGHBOURS = 20;

/** Ids that are within so many edits are near; others only as far as they begin alike. */
const EDITS_MAX = 2;

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789-_:./"];

/** The id as written; without a prefix of its own also with those of the vocabulary. */
export function spellings(id: string, { idPrefixes }: Pick<Vocabulary, "idPrefixes">): readonly string[] {
  if (id.length > LIMITS.termIdLengthMax || localPart(id).length > LIMITS.nearestIdLengthMax) return [];
  return id.includes(":") || idPrefixes.length === 0 ? [id] : [id, ...idPrefixes.map((prefix) => `${prefix}:${id}`)];
}

/** Ids that one edit behind the prefix makes of an id, in lower case letters: those of one place after the other. */
export function* idsOneEditAway(id: string): Generator<readonly string[]> {
  for (let at = id.length - localPart(id).length; at <= id.length; at++) {
    const head = id.slice(0, at);
    const tail = id.slice(at);
    const edited = LETTERS.flatMap((letter) => [head + letter + tail, head + letter + tail.slice(1)]);
    edited.push(head + tail.slice(1), head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2));
    yield edited;
  }
}

/** How far a known id is from the unknown one, the nearest first; undefined where it is not near. */
export function idDistance(asked: string, known: string): number | undefined {
  const a = asked.toLowerCase();
  const b = known.toLowerCase();
  const edits = Math.abs(a.length - b.length) > EDITS_MAX ? EDITS_MAX + 1 : countEdits(a, b);
  if (edits <= EDITS_MAX) return edits;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  const local = shared - (a.length - localPart(a).length);
  if (local < 1) return undefined;
  return EDITS_MAX + a.length + b.length - 2 * shared;
}

/** Could somebody have written a name where an id belongs? */
export function looksLikeWords(id: string): boolean {
  return /\p{L}{3}/u.test(localPart(id)) && !/\p{L}\p{N}|\p{N}\p{L}/u.test(localPart(id));
}
