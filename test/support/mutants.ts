/** Mistakes made by rule in a valid record: one each, at every place that the model and the record offer. */
import { applicableShapes, type Field, fieldsAlong } from "../../src/core/catalog/field-tree.js";
import type { IssueCodeName } from "../../src/core/issue.js";
import { isObject, type Json, type JsonObject, own } from "../../src/core/json.js";
import { type SeededRandom, seeded } from "./random.js";

type Path = readonly (string | number)[];

export const MISTAKES = [
  ...["required field removed", "wrong enumeration value", "number out of range", "wrong type"],
  ...["empty list", "dangling reference", "unknown term"],
] as const;
export type Mistake = (typeof MISTAKES)[number];

export interface Mutant {
  readonly mistake: Mistake;
  readonly metadata: JsonObject;
  /** The one error that it must give. */
  readonly pointer: string;
  readonly code: IssueCodeName;
}

/** A mistake at a place, not yet made. */
interface Plan {
  readonly mistake: Mistake;
  readonly path: Path;
  readonly code: IssueCodeName;
  /** What to put there; undefined: take away what is there. */
  readonly value: Json | undefined;
}

interface Spot {
  readonly path: Path;
  readonly field: Field;
  readonly value: Json;
}

/**
 * So many different mutants, or all that there are, each kind of mistake as often as any other where it has that many;
 * the same ones for the same seed.
 */
export function makeMutants(fields: Field, metadata: JsonObject, count: number, seed: number): readonly Mutant[] {
  const random = seeded(seed);
  const plans = spotsOf(fields, metadata).flatMap((spot) => plansAt(spot, metadata, fields));
  const left = new Map(
    MISTAKES.map((kind) => [
      kind,
      shuffled(
        plans.filter(({ mistake }) => mistake === kind),
        random,
      ),
    ]),
  );
  const chosen: Plan[] = [];
  while (chosen.length < Math.min(count, plans.length)) {
    for (const queue of left.values()) if (chosen.length < count) chosen.push(...queue.splice(0, 1));
  }
  return chosen.map(({ mistake, path, code, value }) => {
    const mutated = replaceAt(metadata, path, value) as JsonObject;
    return { mistake, metadata: mutated, pointer: `/metadata/${path.join("/")}`, code };
  });
}

/** Every field that the record has and the model knows, lists' items included. */
function spotsOf(field: Field, value: Json, path: Path = []): readonly Spot[] {
  const here = path.length === 0 ? [] : [{ path, field, value }];
  if (Array.isArray(value)) {
    const { items } = field;
    const below = items === undefined ? [] : value.flatMap((item: Json, i) => spotsOf(items, item, [...path, i]));
    return [...here, ...below];
  }
  if (!isObject(value) || field.shape === undefined) return here;
  const shapes = applicableShapes(field.shape, value);
  const below = Object.entries(value).flatMap(([name, inner]) => {
    const known = shapes.map(({ fields }) => fields.get(name)).find((each) => each !== undefined);
    return known === undefined ? [] : spotsOf(known, inner, [...path, name]);
  });
  return [...here, ...below];
}

function plansAt({ path, field, value }: Spot, metadata: JsonObject, fields: Field): readonly Plan[] {
  const plans: Plan[] = [];
  const add = (mistake: Mistake, code: IssueCodeName, ...values: readonly (Json | undefined)[]): void => {
    for (const each of values) plans.push({ mistake, path, code, value: each });
  };
  if (field.isRequired && typeof path.at(-1) === "string") add("required field removed", "REQUIRED", undefined);
  if (field.types.length > 0) add("wrong type", "WRONG_TYPE", ...wrongTypes(field.types));
  const texts = field.allowed === undefined ? [] : wrongTexts(String(value), field.allowed);
  add("wrong enumeration value", "NOT_ALLOWED", ...texts);
  for (const [code, number] of outOfRange(field, path, metadata, fields)) add("number out of range", code, number);
  if ((field.bounds.minItems ?? 0) > 0 && Array.isArray(value)) add("empty list", "TOO_FEW_ITEMS", []);
  const site = fieldsAlong(fields, metadata, path.slice(0, -1)).at(-1);
  if (path.at(-1) === "id" && site?.reference !== undefined)
    add("dangling reference", "REFERENCE_DANGLING", ...ids(path));
  if (path.at(-1) === "id" && site?.term !== undefined) add("unknown term", "TERM_UNKNOWN", ...ids(path));
  return plans;
}

function wrongTypes(types: readonly string[]): readonly Json[] {
  const others: readonly (readonly [string, Json])[] = [
    ...([
      ["string", "five"],
      ["number", 5.5],
      ["boolean", true],
    ] as const),
    ...([
      ["array", ["five"]],
      ["object", { five: 5 }],
      ["null", null],
    ] as const),
  ];
  const isRight = (type: string): boolean => types.includes(type) || (type === "number" && types.includes("integer"));
  return others.filter(([type]) => !isRight(type)).map(([, value]) => value);
}

function wrongTexts(text: string, allowed: readonly Json[]): readonly string[] {
  const texts = new Set([`${text}s`, text.slice(1), "none of these", ""]);
  return [...texts].filter((each) => !allowed.includes(each));
}

const ids = (path: Path): readonly string[] => ["no-such-thing", `x${path.join("-")}`, "x".repeat(600)];

const ABSOLUTE_ZERO: Readonly<Record<string, number>> = { K: 0, "°C": -273.15, "°F": -459.67 };

function outOfRange(
  { bounds, types, leastKnown }: Field,
  path: Path,
  metadata: JsonObject,
  fields: Field,
): readonly (readonly [IssueCodeName, number])[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = bounds;
  const least = minimum ?? (path.at(-1) === "value" ? leastTemperature(path, metadata, fields) : undefined);
  const step = types.includes("integer") ? 1 : 0.5;
  return [
    ...(least === undefined ? [] : [least - step, least - 1_000].map((number) => ["TOO_SMALL", number] as const)),
    ...(leastKnown === undefined || types.includes("integer") ? [] : [["TOO_SMALL", leastKnown - 0.25] as const]),
    ...(above === undefined ? [] : [["TOO_SMALL", above] as const]),
    ...(maximum === undefined ? [] : [maximum + step, maximum * 10].map((number) => ["TOO_LARGE", number] as const)),
    ...(below === undefined ? [] : [["TOO_LARGE", below] as const]),
  ];
}

/** The bound of a temperature depends on its unit, so no field has it. */
function leastTemperature(path: Path, metadata: JsonObject, fields: Field): number | undefined {
  const beside = [...path.slice(0, -1), "unit"];
  const allowed = fieldsAlong(fields, metadata, beside)[beside.length]?.allowed ?? [];
  return allowed.includes("°C") ? ABSOLUTE_ZERO[String(valueAt(metadata, beside))] : undefined;
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((outer, step) => own((outer ?? {}) as JsonObject, String(step)), value);
}

/** A copy with another value at a place, or without it. */
function replaceAt(outer: Json, [step, ...rest]: Path, value: Json | undefined): Json {
  if (Array.isArray(outer)) return outer.map((item: Json, i) => (i === step ? replaceIn(item, rest, value)! : item));
  const entries = Object.entries(outer as JsonObject).flatMap(([name, inner]) => {
    const made = name === step ? replaceIn(inner, rest, value) : inner;
    return made === undefined ? [] : [[name, made] as const];
  });
  return Object.fromEntries(entries);
}

function replaceIn(inner: Json, rest: Path, value: Json | undefined): Json | undefined {
  return rest.length === 0 ? value : replaceAt(inner, rest, value);
}

function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  return list
    .map((each) => ({ each, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}
