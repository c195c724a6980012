import type { Declaration, Problems } from "../declarations/declaration.js";
import { DeclaredObject } from "../declarations/declared.js";
import { checkProduct, compileProducts, type UnitProduct } from "./unit-product.js";

/** A unit. A number in the canonical unit of its dimension is (number + offset) × factor. */
export interface Unit {
  /** Declared name: `µM`, `°C`, `M^-1 s^-1`. */
  readonly name: string;
  readonly dimension: string;
  readonly factor: number;
  readonly offset: number;
  /** How pages write the unit, if not by its name: `kJ mol^-1`. Empty for a number without a unit. */
  readonly label?: string;
  /** Spelling of the unit of the same dimension in which pages show numbers of this unit. */
  readonly shown?: string;
}

/** A kind of comparable numbers: molarities, temperatures. */
export interface Dimension {
  readonly name: string;
  readonly title: string;
  /** Name of the unit whose factor is 1, in which numbers are indexed. */
  readonly canonical: string;
  /** Whether a number without a unit has this dimension. */
  readonly bare: boolean;
  /** Units among which pages choose one that fits the size of a number. Empty: numbers keep their unit. */
  readonly scales: readonly (readonly ScaleStep[])[];
  /** Spelling of the unit in which pages show the numbers of all units that are in no scale. */
  readonly shown?: string | undefined;
  /** Whether pages write small and large numbers without a power of ten. */
  readonly isDecimal: boolean;
  /** The canonical unit as other units, if its name does not say it: M is `mol/L`. */
  readonly product?: string | undefined;
}

/** All units and their spellings. Plain data that can pass between threads. */
export interface Units {
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** By name, in declared order. */
  readonly units: ReadonlyMap<string, Unit>;
  readonly spellings: UnitSpellings;
  /** Canonical units as products of base units, by dimension. */
  readonly products: ReadonlyMap<string, UnitProduct>;
}

/** Names of units by their spellings. */
interface UnitSpellings {
  /** Exact spellings of one word, which may be parts of other spellings (`M` in `1/Ms`). */
  readonly words: ReadonlyMap<string, string>;
  /** The same by `looseKey`; keys that two units share are absent. */
  readonly looseWords: ReadonlyMap<string, string>;
  /** All spellings by `unitKey`. */
  readonly keys: ReadonlyMap<string, string>;
}

type Words = Pick<UnitSpellings, "words" | "looseWords">;

/**
 * Returns the unit for any of its spellings; undefined if the text is not a unit. A spelling is read as a product of
 * words with exponents: `M⁻¹s⁻¹`, `1/Ms`, `/M/s`, `M^-1 s^-1` and `per molar per second` are all M to the power of -1
 * times s to the power of -1.
 */
export function findUnit(units: Units, text: string): Unit | undefined {
  const name = units.spellings.words.get(text);
  if (name !== undefined) return units.units.get(name);
  const remembered = READ_SPELLINGS.get(units) ?? new Map<string, Unit | undefined>();
  READ_SPELLINGS.set(units, remembered);
  const earlier = remembered.get(text);
  if (earlier !== undefined || remembered.has(text)) return earlier;
  const unit = units.units.get(units.spellings.keys.get(unitKey(text, units.spellings)) ?? "");
  if (text.length > UNIT_LENGTH_MAX) return unit;
  if (remembered.size === SPELLINGS_MAX) remembered.clear();
  remembered.set(text, unit);
  return unit;
}

/** Units by the spellings that were read so far. Reading one takes several regular expressions. */
const READ_SPELLINGS = new WeakMap<Units, Map<string, Unit | undefined>>();
/** Maximum number of remembered spellings: records can have any. */
const SPELLINGS_MAX = 1_000;

/** Maximum length of a unit, in UTF-16 units. */
export const UNIT_LENGTH_MAX = 64;

/** Hyphens, dashes and minus signs that are read as a minus, for a character class. */
export const DASHES = String.raw`\-\u2010-\u2014\u2212\ufe63\uff0d`;

const DASH = new RegExp(`[${DASHES}]`, "gu");

/** Replaces each dash by an ASCII hyphen. */
export const plainDashes = (text: string): string => text.replace(DASH, "-");

/** Characters that are used instead of a degree sign before C or F, such as `º`, `o` and `⁰`. */
const DEGREES = /(?<!\p{L})[º˚ᵒ⁰∘◦o](?=\s?[CF](?!\p{L}))/gu;

/** Blank before a superscript minus in text copied from a PDF: `M −1 s −1`. */
const APART = /(?<=\p{L})\s(?=−\d)/gu;

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Normalises a unit: replaces look-alike characters by one of them, micro by `u`, and product signs by blanks. */
export function cleanUnit(text: string): string {
  return plainDashes(
    text.replace(INVISIBLE, "").replace(DEGREES, "°").replace(/[º˚]/gu, "°").replace(APART, "").normalize("NFKC"),
  )
    .replace(/[∕⁄]/gu, "/")
    .replace(/μ(?=\p{L})/gu, "u")
    .replaceAll("**", "^")
    .replace(/\^\{([+-]?\d+)\}/gu, "^$1")
    .replace(/[\p{Cc}\s·⋅∙•×.*]+/gu, " ")
    .replace(/°\s+/gu, "°")
    .trim();
}

/** Returns whether this spelling is one word, which may be a part of other spellings. */
const isUnitWord = (cleaned: string): boolean => /^[°\p{L}\p{M}]+$/u.test(cleaned);

/** Returns a key without case for words of at least four letters, and for shorter ones except m and M (milli, mega). */
function looseKey(word: string): string {
  return word.length >= 4 ? word.toLowerCase() : word.replace(/[^mM]/gu, (letter) => letter.toLowerCase());
}

/**
 * Returns the common key of all spellings of a unit: its words with their exponents in a fixed order, or its characters
 * without blanks if it is not a product of words (`% (w/v)`).
 */
function unitKey(text: string, words: Words): string {
  const cleaned = cleanUnit(text);
  if (cleaned.length > UNIT_LENGTH_MAX) return "";
  const exponents = readProduct(cleaned, words);
  const factors = [...(exponents ?? [])].filter(([, exponent]) => exponent !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (factors.length === 0) return `=${cleaned.replace(/\s/gu, "").toLowerCase()}`;
  return factors.map(([word, exponent]) => `${word}^${exponent}`).join(" ");
}

const EXPONENT = String.raw`(?:\^?([+-]?\d{1,2}))?`;
const TOKEN = new RegExp(String.raw`\s*(?:(\/)|(\()|(\))${EXPONENT}|([\u00b0\p{L}\p{M}]+)${EXPONENT})`, "uy");

/**
 * Returns the exponents by word; undefined if the text is not a product of different words. Words after a slash have
 * negative exponents; the exponent of a bracket applies to all words in it: `(M s)^-1`.
 */
export function readProduct(text: string, words: Words): ReadonlyMap<string, number> | undefined {
  const exponents = new Map<string, number>();
  const product = text.replace(/^1\s*(?=\/)/u, "").replace(/\^?\(([+-]?\d{1,2})\)/gu, "^$1");
  const token = new RegExp(TOKEN);
  /** Number of words before each open bracket. */
  const brackets: number[] = [];
  let sign = 1;
  while (token.lastIndex < product.length) {
    const match = token.exec(product);
    if (match === null) return undefined;
    const [, slash, opening, closing, bracketPower, word, exponent] = match;
    if (slash !== undefined || word?.toLowerCase() === "per") sign = -1;
    else if (opening !== undefined) brackets.push(exponents.size);
    else if (closing !== undefined) {
      const inside = [...exponents].slice(brackets.pop() ?? exponents.size);
      for (const [part, power] of inside) exponents.set(part, power * Number(bracketPower ?? 1));
    } else {
      const parts = wordsIn(word!, words);
      // The exponent applies only to the last of several consecutive words.
      for (const [i, part] of parts.entries()) {
        const power = i === parts.length - 1 ? Number(exponent ?? 1) : 1;
        if (exponents.has(part)) return undefined;
        exponents.set(part, sign * power);
      }
    }
  }
  return exponents;
}

/** Splits letters into units: `Ms` is M and s. Returns the letters themselves if they are not units. */
function wordsIn(letters: string, words: Words): readonly string[] {
  const unit = words.words.get(letters) ?? words.looseWords.get(looseKey(letters));
  return unit === undefined ? (splitWords(letters, words.words) ?? [looseKey(letters)]) : [unit];
}

const SPLIT_LENGTH_MAX = 12;

function splitWords(letters: string, words: Words["words"]): readonly string[] | undefined {
  if (letters === "") return [];
  if (letters.length > SPLIT_LENGTH_MAX) return undefined;
  for (let length = letters.length; length > 0; length--) {
    const first = words.get(letters.slice(0, length));
    const rest = first === undefined ? undefined : splitWords(letters.slice(length), words);
    if (first !== undefined && rest !== undefined) return [first, ...rest];
  }
  return undefined;
}

const DIMENSION_NAME = /^[a-z][a-z0-9_]*$/;

/** A catalog without units: every unit is unknown. */
export const NO_UNITS: Units = {
  dimensions: new Map(),
  units: new Map(),
  spellings: { words: new Map(), looseWords: new Map(), keys: new Map() },
  products: new Map(),
};

/** A unit with its spellings and its declaration. */
interface DeclaredUnit extends Unit {
  readonly spellings: readonly string[];
  readonly at: DeclaredObject;
}

/**
 * Compiles the units.yaml files of a catalog. A unit of a later file replaces the unit with the same name; new units
 * are added to their dimension. Mistakes are added to `problems`; the result may be used only if there are none.
 */
export function compileUnits(declarations: readonly Declaration[], problems: Problems): Units {
  const dimensions = new Map<string, Dimension>();
  const declared = new Map<string, DeclaredUnit>();
  const blocks: { readonly name: string; readonly object: DeclaredObject }[] = [];
  for (const declaration of declarations) {
    const root = DeclaredObject.at(declaration, [], declaration.value, problems);
    for (const { name, object } of root?.members() ?? []) {
      if (!DIMENSION_NAME.test(name)) root?.note(name, `a dimension's name must match ${DIMENSION_NAME.source}`);
      const dimension = compileDimension(name, object, dimensions.get(name));
      dimensions.set(name, dimension);
      for (const unit of compileDimensionUnits(object, name)) declared.set(unit.name, unit);
      blocks.push({ name, object });
    }
    for (const { name, canonical } of dimensions.values()) checkCanonical(root, name, declared.get(canonical));
  }
  const units = new Map([...declared].map(([name, { spellings: _, at: __, ...unit }]) => [name, unit]));
  const spellings = compileSpellings([...declared.values()]);
  const compiled = { dimensions, units, spellings, products: compileProducts({ dimensions, units, spellings }) };
  for (const { shown, dimension, at } of declared.values()) checkShown(compiled, dimensions.get(dimension)!, shown, at);
  for (const { name, object } of blocks) {
    checkDimension(compiled, dimensions.get(name)!, object);
    checkProduct(compiled, dimensions.get(name)!, object);
  }
  return compiled;
}

/** Compiles a dimension. @param earlier the same dimension in an earlier file */
function compileDimension(name: string, object: DeclaredObject, earlier: Dimension | undefined): Dimension {
  object.allow(["title", "canonical", "bare", "scales", "shown", "decimals", "product", "units"]);
  const scales = compileScales(object, earlier?.scales);
  const isDecimal = object.flag("decimals", earlier?.isDecimal ?? false);
  const shown = object.optionalText("shown") ?? earlier?.shown;
  const product = object.optionalText("product") ?? earlier?.product;
  const reading = { scales, isDecimal, product, ...(shown === undefined ? {} : { shown }) };
  if (earlier === undefined) {
    const [title, canonical] = [object.text("title"), object.text("canonical")];
    return { name, title, canonical, bare: object.flag("bare", false), ...reading };
  }
  const canonical = object.optionalText("canonical") ?? earlier.canonical;
  if (canonical !== earlier.canonical) {
    object.note("canonical", `the canonical unit of "${name}" is "${earlier.canonical}" and stays so`);
  }
  const title = object.optionalText("title") ?? earlier.title;
  return { ...earlier, title, bare: object.flag("bare", earlier.bare), ...reading };
}

function compileDimensionUnits(object: DeclaredObject, dimension: string): readonly DeclaredUnit[] {
  return object.objects("units").map(({ name, object: unit }) => {
    unit.allow(["factor", "offset", "synonyms", "label", "shown"]);
    const synonyms = unit.texts("synonyms") ?? [];
    for (const spelling of [name, ...synonyms]) {
      if (cleanUnit(spelling) === "") unit.note("synonyms", `"${spelling}" has no sign that could be a unit`);
    }
    const [label, shown] = [unit.raw("label"), unit.optionalText("shown")];
    return {
      name,
      dimension,
      factor: compileFactor(unit),
      offset: unit.number("offset") ?? 0,
      ...(typeof label === "string" ? { label } : {}),
      ...(shown === undefined ? {} : { shown }),
      spellings: [name, ...synonyms],
      at: unit,
    };
  });
}

/** Reads a factor: a number, or a fraction as text: `5/9`. */
function compileFactor(unit: DeclaredObject): number {
  const raw = unit.raw("factor");
  const fraction = typeof raw === "string" ? /^(\d+)\s*\/\s*(\d+)$/.exec(raw) : null;
  const factor = fraction === null ? raw : Number(fraction[1]) / Number(fraction[2]);
  if (typeof factor === "number" && Number.isFinite(factor) && factor > 0) return factor;
  unit.note("factor", `the factor must be a number above 0, or a fraction like 5/9`);
  return 1;
}

function checkCanonical(root: DeclaredObject | undefined, dimension: string, unit: DeclaredUnit | undefined): void {
  if (unit?.dimension === dimension && unit.factor === 1 && unit.offset === 0) return;
  root?.note(dimension, `the canonical unit of "${dimension}" must be one of its units, with the factor 1`);
}

function compileSpellings(units: readonly DeclaredUnit[]): UnitSpellings {
  const words = new Map<string, string>();
  for (const unit of units) {
    for (const spelling of unit.spellings.map(cleanUnit).filter(isUnitWord)) {
      const other = words.get(spelling);
      if (other !== undefined && other !== unit.name) noteAmbiguous(unit, spelling, other);
      words.set(spelling, unit.name);
    }
  }
  const looseWords = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const [word, name] of words) {
    const key = looseKey(word);
    if (looseWords.has(key) && looseWords.get(key) !== name) ambiguous.add(key);
    looseWords.set(key, name);
  }
  for (const key of ambiguous) looseWords.delete(key);
  const keys = new Map<string, string>();
  for (const unit of units) {
    for (const spelling of unit.spellings) {
      const key = unitKey(spelling, { words, looseWords });
      const other = keys.get(key);
      if (other !== undefined && other !== unit.name && !isUnitWord(cleanUnit(spelling))) {
        noteAmbiguous(unit, spelling, other);
      }
      keys.set(key, unit.name);
    }
  }
  return { words, looseWords, keys };
}

function noteAmbiguous(unit: DeclaredUnit, spelling: string, other: string): void {
  unit.at.note("synonyms", `"${spelling}" of "${unit.name}" is already read as "${other}"`);
}

/** A unit of a scale, and the smallest number that is shown in it. */
export interface ScaleStep {
  /** Spelling of the unit: `ng/mL` may be one of `µg/L`. */
  readonly spelling: string;
  readonly from: number;
}

/** Reads `scales`: lists of spellings in ascending order, such as `[nM, µM]` or `[s, {unit: minutes, from: 10}]`. */
function compileScales(object: DeclaredObject, earlier: Dimension["scales"] = []): Dimension["scales"] {
  if (!object.has("scales")) return earlier;
  const lists = object.raw("scales");
  if (!Array.isArray(lists) || !lists.every(Array.isArray)) {
    object.note("scales", "the scales must be lists of units: [[nM, µM, mM]]");
    return earlier;
  }
  return lists.map((list: readonly unknown[]) => list.flatMap((step) => compileStep(object, step)));
}

function compileStep(object: DeclaredObject, step: unknown): readonly ScaleStep[] {
  if (typeof step === "string") return [{ spelling: step, from: 1 }];
  const { unit, from } = Object(step) as { readonly unit?: unknown; readonly from?: unknown };
  if (typeof unit === "string" && typeof from === "number" && from > 0) return [{ spelling: unit, from }];
  object.note("scales", "a step of a scale must be a unit, or {unit: minutes, from: 10}");
  return [];
}

/** Adds a problem for each unit in `scales` or `shown` that the dimension does not have. */
function checkDimension(units: Units, dimension: Dimension, object: DeclaredObject): void {
  for (const scale of dimension.scales) {
    const steps = scale.map(({ spelling }) => ({ spelling, unit: unitOf(units, dimension.name, spelling) }));
    for (const { spelling, unit } of steps) if (unit === undefined) object.note("scales", noUnit(dimension, spelling));
    const isAscending = steps.every(
      ({ unit }, i) => i === 0 || (unit?.factor ?? 0) > (steps[i - 1]!.unit?.factor ?? 0),
    );
    if (!isAscending) object.note("scales", "the units of a scale must stand in ascending order");
  }
  checkShown(units, dimension, dimension.shown, object);
}

/** Adds a problem if the dimension does not have the unit in `shown`. */
function checkShown(
  units: Units,
  dimension: Dimension,
  shown: Unit["shown"] | undefined,
  object: DeclaredObject,
): void {
  if (shown !== undefined && unitOf(units, dimension.name, shown) === undefined) {
    object.note("shown", noUnit(dimension, shown));
  }
}

function unitOf(units: Units, dimension: string, spelling: string): Unit | undefined {
  const unit = findUnit(units, spelling);
  return unit?.dimension === dimension ? unit : undefined;
}

const noUnit = ({ name }: Dimension, spelling: string): string => `"${name}" has no unit "${spelling}"`;
