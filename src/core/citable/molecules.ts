/** The molecules of a record: objects of a list with ids in public registers, in themselves or in their parts. */
import type { Model, MoleculeList, NamedQuantity } from "../catalog/types.js";
import { groupBy } from "../collections.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { compareMoleculeIds, moleculeId } from "../pasted-identifiers.js";
import { type QuantityValue, readQuantityValue } from "../units/quantity-expressions.js";
import {
  type DerivedQuantity,
  derivedQuantities,
  groupElements,
  resultOf,
  statesQuantity,
} from "./derived-quantities.js";
import { type DepositedNumber, readResult } from "./record-results.js";
import { textAt, valuesAt } from "./values-at.js";

/** An id of a molecule, or of a part of it. */
export interface IdentifiedMolecule {
  /** Normal form, see `moleculeId`. */
  readonly id: string;
  /** Name that the record gives to the object with the id. */
  readonly name: string | undefined;
  /** Object with the id: the molecule, or a part of it. */
  readonly holder: JsonObject;
  /** The cited term whose id it is. */
  readonly term?: { readonly vocabulary: string; readonly id: string } | undefined;
}

/** Returns the ids of an object of the list of molecules, in the order of their declared places. */
export function moleculesIn(object: JsonObject, ids: MoleculeList["ids"]): readonly IdentifiedMolecule[] {
  return ids.flatMap(({ path, vocabulary }) => {
    const dot = path.lastIndexOf(".");
    const holders = dot < 0 ? [object] : valuesAt(object, path.slice(0, dot));
    return holders.filter(isObject).flatMap((holder) =>
      valuesAt(holder, path.slice(dot + 1)).flatMap((value): readonly IdentifiedMolecule[] => {
        const text = idText(value);
        const id = text === undefined ? undefined : moleculeId(text);
        if (text === undefined || id === undefined) return [];
        const term = vocabulary === undefined ? undefined : { vocabulary, id: text };
        return [{ id, name: textAt(holder, "name"), holder, term }];
      }),
    );
  });
}

/** Returns the id by which a molecule is named. Undefined if only its parts have ids. */
export function mainIdOf(object: JsonObject, ids: MoleculeList["ids"]): string | undefined {
  const own = moleculesIn(object, ids).flatMap(({ id, holder }) => (holder === object ? [id] : []));
  return own.toSorted(compareMoleculeIds)[0];
}

function idText(value: Json): string | undefined {
  if (typeof value === "string") return value;
  const id = isObject(value) ? own(value, "id") : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Maximum length of a name, in UTF-16 code units; of a longer one, its beginning counts. */
const NAME_LENGTH_MAX = 200;

/** Writes an id with a name as one key of an index. Ids have no blanks. */
export const namedKey = (id: string, name: string): string => `${id} ${name.slice(0, NAME_LENGTH_MAX)}`;

/** Reads a key of `namedKey`. */
export function readNamedKey(key: string): { readonly id: string; readonly name: string } {
  const blank = key.indexOf(" ");
  return { id: key.slice(0, blank), name: key.slice(blank + 1) };
}

/** Results of a record about the same molecules. */
interface Interaction {
  /** Objects of the list of molecules that the results are about. */
  readonly molecules: readonly JsonObject[];
  /** The best number of each quantity of the page's head, in its order. Only that of the first one may be derived. */
  readonly figures: readonly Figure[];
}

/** The best number of a quantity. */
export interface Figure {
  /** Name of the quantity. */
  readonly quantity: string;
  /** As deposited, or in the canonical unit if it is derived. */
  readonly measured: DepositedNumber;
  /** Names of the quantities from which it is derived. Absent: it is stated. */
  readonly from?: readonly string[] | undefined;
  /** A number for comparisons with the same quantity: the best is the smallest. */
  readonly order: number;
}

/** Returns the results of a record by the molecules that they are about. */
export function interactionsOf(metadata: JsonObject, model: Model): readonly Interaction[] {
  const { molecules, describe } = model;
  const { results } = describe;
  if (molecules === undefined || results === undefined) return [];
  const objects = valuesAt({ metadata }, molecules.path).filter(isObject);
  const elements = valuesAt({ metadata }, results.path).filter(isObject);
  const derived = groupBy(derivedQuantities(metadata, model), ({ element }) => element);
  const places = groupBy(objects.keys(), (i) => idText(objects[i]!));
  return groupElements(elements, results.path, model).map((group) => {
    const ids = new Set(group.flatMap((element) => valuesAt(element, results.of).map(idText)));
    const about = [...ids].flatMap((id) => (id === undefined ? [] : (places.get(id) ?? []))).sort((a, b) => a - b);
    const inGroup = group.flatMap((element) => derived.get(element) ?? []);
    return { molecules: about.map((i) => objects[i]!), figures: figuresOf(group, inGroup, model) };
  });
}

function figuresOf(
  group: readonly JsonObject[],
  derived: readonly DerivedQuantity[],
  { page, quantities, describe, leaves, units }: Model,
): readonly Figure[] {
  return [...(page.head?.figures ?? [])].flatMap(([name, best], i): readonly Figure[] => {
    const quantity = quantities.find((each) => each.name === name);
    if (quantity === undefined) return [];
    const sign = best === "smallest" ? 1 : -1;
    const stated = group.flatMap((element): readonly Figure[] => {
      const value = statesQuantity(element, quantity, { leaves })
        ? readQuantityValue(element, quantity.value, quantity.leaf.quantity.dimensions, units)
        : undefined;
      const measured = describe.results && readResult(element, describe.results);
      const order = value && orderOf(value, quantity, sign);
      return measured === undefined || order === undefined ? [] : [{ quantity: name, measured, order }];
    });
    // Other derived numbers say the same again.
    const computed =
      i > 0
        ? []
        : derived.flatMap(({ name: each, value, from }): readonly Figure[] => {
            const order = each === name ? orderOf(value, quantity, sign) : undefined;
            return order === undefined ? [] : [{ quantity: name, measured: resultOf(value, units), from, order }];
          });
    const [first] = [...stated, ...computed].sort((a, b) => a.order - b.order);
    return first === undefined ? [] : [first];
  });
}

/** Returns the place of a number among those of its quantity. Only numbers of the usual dimension compare. */
function orderOf(
  { number, dimension }: QuantityValue,
  { leaf, derivation }: NamedQuantity,
  sign: 1 | -1,
): number | undefined {
  // A KD of 0 says that nothing was measured.
  const isKnown = dimension === leaf.quantity.dimensions[0] && number > (derivation?.above ?? Number.NEGATIVE_INFINITY);
  return isKnown ? sign * number : undefined;
}
