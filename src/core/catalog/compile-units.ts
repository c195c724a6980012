import type { Declaration, Problems } from "../declarations/declaration.js";
import { DeclaredObject } from "../declarations/declared.js";
import {
  cleanUnit,
  type Dimension,
  isUnitWord,
  looseKey,
  type Unit,
  type UnitSpellings,
  type Units,
  unitKey,
} from "./units.js";

const DIMENSION_NAME = /^[a-z][a-z0-9_]*$/;

/** A catalog without units: every unit is unknown. */
export const NO_UNITS: Units = {
  dimensions: new Map(),
  units: new Map(),
  spellings: { words: new Map(), looseWords: new Map(), keys: new Map() },
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
  for (const declaration of declarations) {
    const root = DeclaredObject.at(declaration, [], declaration.value, problems);
    for (const { name, object } of root?.members() ?? []) {
      if (!DIMENSION_NAME.test(name)) root?.note(name, `a dimension's name must match ${DIMENSION_NAME.source}`);
      const dimension = compileDimension(name, object, dimensions.get(name));
      dimensions.set(name, dimension);
      for (const unit of compileDimensionUnits(object, name)) declared.set(unit.name, unit);
    }
    for (const { name, canonical } of dimensions.values()) checkCanonical(root, name, declared.get(canonical));
  }
  const units = new Map(
    [...declared].map(([name, { dimension, factor, offset }]) => [name, { name, dimension, factor, offset }]),
  );
  return { dimensions, units, spellings: compileSpellings([...declared.values()]) };
}

/** Compiles a dimension. @param earlier the same dimension in an earlier file */
function compileDimension(name: string, object: DeclaredObject, earlier: Dimension | undefined): Dimension {
  object.allow(["title", "canonical", "bare", "units"]);
  if (earlier === undefined) {
    return { name, title: object.text("title"), canonical: object.text("canonical"), bare: object.flag("bare", false) };
  }
  const canonical = object.optionalText("canonical") ?? earlier.canonical;
  if (canonical !== earlier.canonical) {
    object.note("canonical", `the canonical unit of "${name}" is "${earlier.canonical}" and stays so`);
  }
  return { ...earlier, title: object.optionalText("title") ?? earlier.title, bare: object.flag("bare", earlier.bare) };
}

function compileDimensionUnits(object: DeclaredObject, dimension: string): readonly DeclaredUnit[] {
  return object.objects("units").map(({ name, object: unit }) => {
    unit.allow(["factor", "offset", "synonyms"]);
    const synonyms = unit.texts("synonyms") ?? [];
    for (const spelling of [name, ...synonyms]) {
      if (cleanUnit(spelling) === "") unit.note("synonyms", `"${spelling}" has no sign that could be a unit`);
    }
    const factor = compileFactor(unit);
    return { name, dimension, factor, offset: unit.number("offset") ?? 0, spellings: [name, ...synonyms], at: unit };
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
