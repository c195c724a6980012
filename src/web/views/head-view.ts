/** The head of a record page: what was measured of which molecules, with which result, under which conditions. */
import type { Head } from "../../core/catalog/description.js";
import type { Model } from "../../core/catalog/types.js";
import type { Result } from "../../core/citable/citable.js";
import { convertNumber, readResult } from "../../core/citable/record-results.js";
import { labelOf, valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, own } from "../../core/json.js";
import { findUnit } from "../../core/units/units.js";
import type { Picture } from "./compounds.js";
import { type HitView, mainResults, resultView } from "./hit-view.js";
import { itemsAt, type Written, writeSentence } from "./value-text.js";
import { type Item, picturesOfValues } from "./value-view.js";

export interface HeadView extends Pick<HitView, "results" | "resultsLeft"> {
  readonly molecules: readonly MoleculeView[];
  readonly conditions: Written;
}

/** A molecule of the main result. */
interface MoleculeView {
  readonly name: string;
  /** Id of the HTML element with its card, if this page has it. */
  readonly anchor: string | undefined;
  readonly line: Written;
  readonly pictures: readonly Picture[];
}

const FIGURES_MAX = 4;
const MOLECULES_MAX = 2;

/** @param record the metadata without the conditions of steps in which nothing is measured */
export function headOf(record: Item, model: Model): HeadView {
  const { figures = new Map(), molecule, conditions } = model.page.head ?? {};
  const list = model.describe.results;
  const elements = list === undefined ? [] : valuesAt({ metadata: record.context.whole }, list.path);
  const results = elements.flatMap((element): readonly ReadResult[] => {
    const result = list && readResult(element, list);
    return result?.value === undefined ? [] : [{ element, result }];
  });
  const best = bestResults(results, figures, model);
  const shown = best.slice(0, FIGURES_MAX).flatMap(({ result }) => resultView(result, model) ?? []);
  return {
    molecules: moleculesOf(record, (best[0] ?? results[0])?.element, model).map(({ name, anchor, item }) => ({
      name,
      anchor,
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

interface ReadResult {
  readonly element: Json;
  readonly result: Result;
}

/** Returns the best result of each declared quantity, in their order. */
function bestResults(results: readonly ReadResult[], figures: Head["figures"], model: Model): readonly ReadResult[] {
  const kindName = model.describe.results?.kind ?? "";
  return [...figures].flatMap(([name, best]) => {
    const kind = model.quantities.find((each) => each.name === name)?.where?.get(kindName);
    if (kind === undefined) return [];
    const sign = best === "smallest" ? 1 : -1;
    const [first] = results
      .flatMap((each) => {
        const number = each.result.kind === kind ? canonicalNumber(each.result, model) : undefined;
        return number === undefined ? [] : [{ each, number: sign * number }];
      })
      .sort((a, b) => a.number - b.number);
    return first === undefined ? [] : [first.each];
  });
}

function canonicalNumber({ value, unit }: Result, { units }: Model): number | undefined {
  const known = unit === undefined ? undefined : findUnit(units, unit);
  const canonical = known && units.units.get(units.dimensions.get(known.dimension)!.canonical);
  if (value === undefined || known === undefined || canonical === undefined) return undefined;
  return convertNumber(value, known, canonical);
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
    const name = labelOf(object) ?? (item && labelOf(item.value));
    const anchor = record.context.anchors.get(`${list} ${String(id)}`);
    return name === undefined ? [] : [{ name, item, anchor }];
  });
}
