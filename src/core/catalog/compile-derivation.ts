import type { DeclaredObject } from "../declarations/declared.js";
import { nearestNames } from "../nearest.js";
import type { Expression } from "../units/expression.js";
import { dimensionOfExpression, parseQuantityExpression } from "../units/quantity-expressions.js";
import type { Units } from "../units/units.js";
import { derivedLeaf } from "./places.js";
import type { Derivation, DerivationSource, NamedQuantity, ShortField } from "./types.js";

/** The fields of a model as far as derivations need them. */
interface DerivationContext {
  readonly fields: ReadonlyMap<string, ShortField>;
  readonly quantities: readonly NamedQuantity[];
  /** Names of all fields that the model or its bases declare, also of those that it removes or has no path of. */
  readonly declared: readonly string[];
  readonly units: Units;
}

/** Returns an empty derivation if a quantity declares one. Its leaf must exist before the expressions are compiled. */
export function openDerivation(
  field: DeclaredObject,
  { name, path }: Pick<NamedQuantity, "name" | "path">,
  dimensions: readonly string[],
): Derivation | undefined {
  return field.has("derived") ? { sources: [], leaf: derivedLeaf(path, name, dimensions) } : undefined;
}

/**
 * Compiles the `derived` of a field: an expression, a list of expressions, or `{from, above}`. An expression with a
 * declared name that the model does not have is left out: a base declares the names of all models that extend it, and a
 * model may remove inherited ones.
 *
 * @param quantity the quantity with its open derivation
 */
export function compileDerivation(
  field: DeclaredObject,
  quantity: NamedQuantity,
  context: DerivationContext,
): NamedQuantity {
  const { derivation } = quantity;
  if (derivation === undefined) return quantity;
  const raw = field.raw("derived");
  const isShort = typeof raw === "string" || Array.isArray(raw);
  const block = isShort ? field : field.object("derived");
  if (!isShort) block?.allow(["from", "above"]);
  const key = isShort ? "derived" : "from";
  const texts = block?.textOrTexts(key) ?? [];
  if (texts.length === 0) block?.note(key, '"derived" needs an expression, such as "1 / ka"');
  const above = isShort ? undefined : block?.number("above");
  const sources = texts.flatMap((text) => {
    const source = compileSource(text, quantity, context);
    if (typeof source !== "string") return source ?? [];
    block?.note(key, `"${text}": ${source}`);
    return [];
  });
  return { ...quantity, derivation: { ...derivation, sources, above } };
}

/** Returns the source, a text with its mistake, or undefined if the model lacks a name. */
function compileSource(
  text: string,
  quantity: NamedQuantity,
  context: DerivationContext,
): DerivationSource | string | undefined {
  const parsed = parseQuantityExpression(text, context.units);
  if ("mistake" in parsed) return parsed.mistake;
  const { expression } = parsed;
  const stated = statedQuantities(quantity, context);
  const unknown = expression.names.find((name) => !context.declared.includes(name));
  if (unknown !== undefined) return unknownName(unknown, context.declared);
  if (expression.names.includes(quantity.name)) return "a quantity is not derived from itself";
  const conditions = expression.names.filter((name) => !stated.has(name));
  if (conditions.some((name) => !context.fields.has(name))) return undefined;
  const wrong = conditions.find((name) => !isCondition(name, context));
  if (wrong !== undefined) return `"${wrong}" is not a quantity of "${quantity.path}", and not one of the whole record`;
  if (conditions.length === expression.names.length) return `it names no quantity of "${quantity.path}"`;
  const mistake = unitMistake(expression, quantity, { stated, ...context });
  if (mistake !== undefined) return mistake;
  return {
    expression,
    conditions: conditions.map((name) => {
      const { path, morePaths = [], dimensions = [] } = context.fields.get(name)!;
      return { name, paths: [path, ...morePaths], dimensions };
    }),
  };
}

/** Returns the quantities that elements of the same list state, by name. */
function statedQuantities(
  { path }: NamedQuantity,
  { quantities }: DerivationContext,
): ReadonlyMap<string, NamedQuantity> {
  const stated = quantities.filter((each) => each.path === path && each.where !== undefined);
  return new Map(stated.map((each) => [each.name, each]));
}

/** Returns whether a name is a quantity that is not one of a list of named quantities. */
function isCondition(name: string, { fields, quantities }: DerivationContext): boolean {
  return fields.get(name)?.dimensions !== undefined && !quantities.some((each) => each.name === name);
}

function unknownName(name: string, declared: readonly string[]): string {
  const [near] = nearestNames(name, declared, 1);
  return `there is no quantity "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

/** Returns what is wrong with the units of an expression in the usual dimensions of its names. */
function unitMistake(
  expression: Expression,
  { leaf }: NamedQuantity,
  { stated, fields, units }: DerivationContext & { readonly stated: ReadonlyMap<string, NamedQuantity> },
): string | undefined {
  const dimensions = expression.names.map((name) => {
    const usual = stated.get(name)?.leaf.quantity.dimensions ?? fields.get(name)?.dimensions ?? [];
    return [name, usual[0]!] as const;
  });
  const result = dimensionOfExpression(expression, new Map(dimensions), leaf.quantity.dimensions, units);
  return "mistake" in result ? result.mistake : undefined;
}
