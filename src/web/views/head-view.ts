/** The head of a record page: what was measured of which molecules, with which result, under which conditions. */
import type { HeadLayout } from "../../core/catalog/description.js";
import type { Model, NamedQuantity } from "../../core/catalog/types.js";
import type { Result } from "../../core/citable/citable.js";
import { groupElements } from "../../core/citable/derived-quantities.js";
import { mainIdOf } from "../../core/citable/molecules.js";
import { convertResult, readResult } from "../../core/citable/record-results.js";
import { valueLabel, valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import type { Picture } from "./compounds.js";
import { type HitView, mainResults, resultView } from "./hit-view.js";
import { moleculePath } from "./page-addresses.js";
import { itemsAt, type Written, writeSentence } from "./value-text.js";
import { type Item, picturesOfValues } from "./value-view.js";

/** Content of the head of a record page that the model declares. */
export interface HeadView extends Pick<HitView, "results" | "resultsLeft"> {
  readonly molecules: readonly MoleculeView[];
  readonly conditions: Written;
}

/** A molecule of the main result. */
interface MoleculeView {
  readonly name: string;
  /** Id of the HTML element with its card, if this page has it. */
  readonly anchor: string | undefined;
  /** Address of the page of the molecule, if it has an id. */
  readonly page: string | undefined;
  readonly line: Written;
  readonly pictures: readonly Picture[];
}

const FIGURES_MAX = 4;
const MOLECULES_MAX = 2;

/**
 * Makes the head of a record page.
 * @param record the metadata without the conditions of steps in which nothing is measured
 */
export function headOf(record: Item, model: Model): HeadView {
  const { figures = new Map(), molecule, conditions } = model.page.head ?? {};
  const list = model.describe.results;
  const elements = list === undefined ? [] : valuesAt({ metadata: record.context.whole }, list.path);
  const results = elements.flatMap((element): readonly ReadResult[] => {
    const result = list && readResult(element, list);
    return result?.value === undefined || !isObject(element) ? [] : [{ element, result }];
  });
  const best = bestResults(results, figures, model);
  const shown = best.slice(0, FIGURES_MAX).flatMap(({ result }) => resultView(result, model) ?? []);
  return {
    molecules: moleculesOf(record, (best[0] ?? results[0])?.element, model).map(({ name, anchor, item }) => ({
      name,
      anchor,
      page: item && moleculePageOf(item.value, model),
      line: molecule === undefined || item === undefined ? [] : writeSentence(molecule, item),
      pictures: item === undefined ? [] : picturesOfValues(item.members),
    })),
    conditions: conditions === undefined ? [] : writeSentence(conditions, record),
    ...(shown.length > 0
      ? { results: shown, resultsLeft: results.length - shown.length }
      : mainResults(
          results.map(({ result }) => result),
          model,
          new Map(),
        )),
  };
}

/** Returns the address of the page of a molecule of a record. Undefined if it has no id. */
export function moleculePageOf(value: Json, { molecules }: Pick<Model, "molecules">): string | undefined {
  const id = molecules === undefined || !isObject(value) ? undefined : mainIdOf(value, molecules.ids);
  return id === undefined ? undefined : moleculePath(id);
}

interface ReadResult {
  readonly element: JsonObject;
  readonly result: Result;
}

/**
 * Returns the best result of the first declared quantity that has one, and the results of the other quantities that
 * belong to it: they are about the same objects, and were deposited with it.
 */
function bestResults(
  results: readonly ReadResult[],
  figures: HeadLayout["figures"],
  model: Model,
): readonly ReadResult[] {
  const list = model.describe.results;
  if (list === undefined) return [];
  const byElement = new Map(results.map((each) => [each.element, each]));
  const groups = groupElements([...byElement.keys()], list.path, model).map((elements) =>
    elements.map((element) => byElement.get(element)!),
  );
  const kinds = [...figures].flatMap(([name, best]): readonly Figure[] => {
    const quantity = model.quantities.find((each) => each.name === name);
    const kind = quantity?.where?.get(list.kind);
    return quantity === undefined || kind === undefined ? [] : [{ quantity, kind, sign: best === "smallest" ? 1 : -1 }];
  });
  for (const figure of kinds) {
    const best = bestOf(groups.flat(), figure, model);
    const group = best && groups.find((each) => each.includes(best));
    if (best === undefined || group === undefined) continue;
    const others = kinds.slice(kinds.indexOf(figure) + 1).flatMap(({ kind }) => companionOf(best, kind, group) ?? []);
    return [best, ...others];
  }
  return [];
}

/** A quantity of the head. */
interface Figure {
  readonly quantity: NamedQuantity;
  /** Kind of its results. */
  readonly kind: string;
  /** 1 if the smallest number is the best, -1 if the largest is. */
  readonly sign: 1 | -1;
}

/** Returns the best result of a quantity. Numbers of different dimensions do not compare: the first one counts. */
function bestOf(
  results: readonly ReadResult[],
  { quantity, kind, sign }: Figure,
  model: Model,
): ReadResult | undefined {
  const { units } = model;
  const above = quantity.derivation?.above ?? Number.NEGATIVE_INFINITY;
  for (const dimension of quantity.leaf.quantity.dimensions) {
    const canonical = units.units.get(units.dimensions.get(dimension)!.canonical)!;
    const numbers = results.flatMap((each) => {
      const number = each.result.kind === kind ? convertResult(each.result, canonical, units)?.value : undefined;
      // A KD of 0 says that nothing was measured.
      return number === undefined || number <= above ? [] : [{ each, number: sign * number }];
    });
    const [first] = numbers.sort((a, b) => a.number - b.number);
    if (first !== undefined) return first.each;
  }
  return undefined;
}

/**
 * Returns the result of another kind that was deposited with a result: the only one of its group, or, if the group has
 * as many of both kinds, the one at the same place among its kind. Undefined if that cannot be told.
 */
function companionOf({ result }: ReadResult, kind: string, group: readonly ReadResult[]): ReadResult | undefined {
  const own = group.filter((each) => each.result.kind === result.kind);
  const others = group.filter((each) => each.result.kind === kind);
  if (others.length !== own.length) return others.length === 1 ? others[0] : undefined;
  return others[own.findIndex((each) => each.result === result)];
}

/** Returns the molecules of a result, or else the first ones of the list that results refer to. */
function moleculesOf(record: Item, result: Json | undefined, { describe, references }: Model) {
  if (describe.results === undefined) return [];
  const { path, of } = describe.results;
  const list = references.find((each) => each.path === `${path}.${of}`)?.to;
  const elements = list === undefined ? [] : itemsAt(record, list);
  const measured = result === undefined ? [] : valuesAt(result, of);
  const objects = measured.length > 0 ? measured : elements.map(({ value }) => value);
  return objects.slice(0, MOLECULES_MAX).flatMap((object) => {
    const id = isObject(object) ? own(object, "id") : undefined;
    const item = elements.find(({ value }) => isObject(value) && id !== undefined && own(value, "id") === id);
    const name = valueLabel(object) ?? (item && valueLabel(item.value));
    const anchor = record.context.anchors.get(`${list} ${String(id)}`);
    return name === undefined ? [] : [{ name, item, anchor }];
  });
}
