import { addAll } from "../../core/collections.js";
import { LIMITS } from "../../core/limits.js";

/**
 * Spellings of Greek letters. The analysis makes a single letter a separate word (`TGF-β1` is `tgf beta 1`), but a
 * spelled-out name may be attached to its neighbours: `TGF-beta1` is `tgf beta1`, `NF-kappaB` is `nf kappab`. Queries
 * look for all spellings.
 */

/** Names that are recognised at the start or end of any word. */
const LONG_NAMES = "alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|omicron|sigma|upsilon|omega";
/** Names that many words contain (`chip`, `number`). They are recognised in a word only next to a digit. */
const SHORT_NAMES = "eta|iota|mu|nu|xi|pi|rho|tau|phi|chi|psi";
/** Names that are recognised inside a word (`nfkappab`). Zeta and theta are not, because of `synthetase`. */
const INNER_NAMES = "alpha|beta|gamma|delta|epsilon|kappa|lambda|sigma|omega";

const NAME = new RegExp(`^(?:${LONG_NAMES}|${SHORT_NAMES})$`, "u");
const AT_START = new RegExp(`^(?:(?:${LONG_NAMES})|(?:${SHORT_NAMES})(?=[0-9]|$))`, "u");
const AT_END = new RegExp(`(?:(?:${LONG_NAMES})|(?<=[0-9])(?:${SHORT_NAMES}))$`, "u");
const INSIDE = new RegExp(`^(.{1,4})(${INNER_NAMES})(.{1,3})$`, "u");

/** Letters that scientific names have in a row: `ΔΔG`, `αβ-tubulin`. The analysis does not spell such rows out. */
const ROW_LETTERS: ReadonlyMap<string, string> = new Map([
  ["alpha", "α"],
  ["beta", "β"],
  ["gamma", "γ"],
  ["delta", "δ"],
]);
const ROW_NAMES: ReadonlyMap<string, string> = new Map([...ROW_LETTERS].map(([name, letter]) => [letter, name]));
const LETTER_ROW = /^([^α-ω]*)([αβγδ]{2,3})([^α-ω]*)$/u;
const ROW_LENGTH_MAX = 3;

/** A piece of a word: the name of a Greek letter, or the letters and digits between two of them. */
interface Atom {
  readonly text: string;
  readonly isGreek: boolean;
  /** Whether it is attached to the previous atom in the given words. */
  readonly isAttached: boolean;
}

/** Maximum number of places with all spellings, attached or separate. With more, only the usual ones are returned. */
const PLACES_MAX = 3;

/**
 * Returns the word sequences that a text may contain if its Greek letters are spelled differently. The given words come
 * first. Returns at most 17 sequences, and only one if there is no Greek letter with a neighbour.
 *
 * @param words result of `analyse`
 */
export function greekSpellings(words: readonly string[]): readonly (readonly string[])[] {
  const atoms = words.flatMap(splitAtoms);
  if (atoms.length < 2 || !atoms.some(({ isGreek }) => isGreek)) return [words];
  const rows = new Map([[words.join(" "), words]]);
  for (const list of [atoms, joinLetterRows(atoms)]) {
    for (const row of spellAtoms(list)) {
      if (row.every((word) => word.length <= LIMITS.wordLengthMax)) rows.set(row.join(" "), row);
    }
  }
  return [...rows.values()];
}

/** Returns whether a text may write the two words as one because of a Greek letter: `delta G`, `TNF alpha`. */
export function mayAttach(word: string, next: string): boolean {
  return (isName(word) && isShort(next)) || (isName(next) && isShort(word));
}

const isName = (word: string): boolean => NAME.test(word);
const SHORT_LENGTH = 5;
const isShort = (word: string): boolean => word.length <= SHORT_LENGTH;

function splitAtoms(word: string): readonly Atom[] {
  return splitPieces(word).map((piece, i) => ({ ...piece, isAttached: i > 0 }));
}

type Piece = Pick<Atom, "text" | "isGreek">;

const greekPiece = (text: string): Piece => ({ text, isGreek: true });

function splitPieces(word: string): readonly Piece[] {
  if (word === "") return [];
  const row = LETTER_ROW.exec(word);
  if (row !== null) {
    const [, before = "", letters = "", after = ""] = row;
    return [
      ...splitPieces(before),
      ...[...letters].map((letter) => greekPiece(ROW_NAMES.get(letter)!)),
      ...splitPieces(after),
    ];
  }
  const start = AT_START.exec(word)?.[0];
  if (start !== undefined) return [greekPiece(start), ...splitPieces(word.slice(start.length))];
  const end = AT_END.exec(word)?.[0];
  if (end !== undefined) return [...splitPieces(word.slice(0, -end.length)), greekPiece(end)];
  const [, before, name, after] = INSIDE.exec(word) ?? [];
  if (before === undefined || name === undefined || after === undefined) return [{ text: word, isGreek: false }];
  return [{ text: before, isGreek: false }, greekPiece(name), ...splitPieces(after)];
}

/** Replaces two or three names in a row by one atom with the Greek letters. */
function joinLetterRows(atoms: readonly Atom[]): readonly Atom[] {
  const joined: Atom[] = [];
  for (let i = 0; i < atoms.length; ) {
    let end = i;
    while (end < atoms.length && ROW_LETTERS.has(atoms[end]!.text)) end += 1;
    const isRow = end - i >= 2 && end - i <= ROW_LENGTH_MAX;
    const row = atoms.slice(i, isRow ? end : Math.max(end, i + 1));
    const letters = row.map(({ text }) => ROW_LETTERS.get(text) ?? "").join("");
    if (isRow) joined.push({ ...row[0]!, text: letters });
    else addAll(joined, row);
    i += row.length;
  }
  return joined;
}

function spellAtoms(atoms: readonly Atom[]): readonly (readonly string[])[] {
  const places = atoms.flatMap((atom, i) => (i > 0 && (atom.isGreek || atoms[i - 1]!.isGreek) ? [i] : []));
  if (places.length > PLACES_MAX) {
    const isSuffix = (i: number): boolean => atoms[i - 1]!.isGreek && atoms[i]!.text.length <= 2;
    return [() => false, () => true, isSuffix].map((isAttached) => joinAtoms(atoms, places, isAttached));
  }
  return Array.from({ length: 2 ** places.length }, (_, mask) =>
    joinAtoms(atoms, places, (i) => ((mask >> places.indexOf(i)) & 1) === 1),
  );
}

/** Joins atoms to words. @param isAttached decides for the atoms in `places`; the others stay as they are */
function joinAtoms(
  atoms: readonly Atom[],
  places: readonly number[],
  isAttached: (place: number) => boolean,
): readonly string[] {
  const row: string[] = [];
  for (const [i, atom] of atoms.entries()) {
    const attached = places.includes(i) ? isAttached(i) : atom.isAttached;
    if (attached) row[row.length - 1] += atom.text;
    else row.push(atom.text);
  }
  return row;
}
