/** Lists of steps as a bar of time, or of counts. */
import type { Section } from "../../core/catalog/description.js";
import { findUnit } from "../../core/units/units.js";
import { type LabelledValues, seriesOf } from "./series-view.js";
import { itemsAt, plainValueText, type Written, writeSentence } from "./value-text.js";
import { type Item, measuredOf } from "./value-view.js";

/** Steps in their order. */
export interface StripView {
  readonly steps: readonly StripStep[];
  /** Values that all steps have in common. */
  readonly shared: readonly LabelledValues[];
}

interface StripStep {
  readonly item: Item;
  readonly label: Written;
  /** The length of the step as it is shown. */
  readonly length: Item;
  /** Width of the step, from 1 to `WIDTH_MAX`. */
  readonly width: number;
}

/** Largest width that the style sheet has. */
const WIDTH_MAX = 12;

/** Names of the members that give a step its place. */
type Along = NonNullable<Section["along"]>;

/** Returns a list as a strip. Undefined if a step has no length. */
export function stripOf(list: Item, along: Along, sentence?: Section["sentence"]): StripView | undefined {
  const steps = list.elements.flatMap((item) => {
    const length = item.members.find(({ name }) => name === along.length);
    const size = length === undefined ? undefined : canonicalNumber(length);
    if (length === undefined || size === undefined) return [];
    const start = item.members.find(({ name }) => name === along.start);
    return [{ item, length, size, start: (start && canonicalNumber(start)) ?? 0, label: stepLabel(item, sentence) }];
  });
  if (steps.length < list.elements.length || steps.length === 0) return undefined;
  const sizeMax = steps.reduce((max, { size }) => Math.max(max, size), 0);
  const places = new Set([along.start, along.length, "type"]);
  return {
    steps: steps
      .sort((a, b) => a.start - b.start)
      .map(({ size, start: _, ...step }) => ({
        ...step,
        width: sizeMax > 0 ? Math.max(1, Math.round((size / sizeMax) * WIDTH_MAX)) : 1,
      })),
    shared: list.elements.length < 2 ? [] : seriesOf(list).shared.filter(({ values }) => !places.has(values[0]?.name)),
  };
}

function stepLabel(item: Item, sentence: Section["sentence"]): Written {
  const written = sentence === undefined ? [] : writeSentence(sentence, item);
  if (written.length > 0) return written;
  const [name] = itemsAt(item, `${item.path}.name`);
  return name === undefined ? [] : [plainValueText(name)];
}

/** Returns a number in the canonical unit of its dimension, so that steps in seconds and in minutes compare. */
function canonicalNumber(item: Item): number | undefined {
  if (typeof item.value === "number") return item.value;
  const measured = measuredOf(item);
  const unit = measured && findUnit(item.context.units, measured.unit);
  return measured && measured.value * (unit?.factor ?? 1);
}

/**
 * Returns the members that place the steps of a list, if its elements have the shape of steps: exactly two quantities
 * of one dimension, and each step begins at or after the end of the previous one.
 */
export function alongByShape(list: Item): Along | undefined {
  const { elements } = list;
  if (elements.length < 2) return undefined;
  const dimensionOf = (item: Item): string | undefined => {
    const measured = measuredOf(item);
    return measured && findUnit(item.context.units, measured.unit)?.dimension;
  };
  const byDimension = new Map<string, string[]>();
  for (const member of elements[0]!.members) {
    const dimension = dimensionOf(member);
    if (dimension !== undefined) byDimension.set(dimension, [...(byDimension.get(dimension) ?? []), member.name]);
  }
  const pair = [...byDimension.values()].find((names) => names.length === 2);
  if (pair === undefined) return undefined;
  const [start, length] = pair as [string, string];
  let end = Number.NEGATIVE_INFINITY;
  for (const { members } of elements) {
    const [from, size] = [start, length].map((name) => {
      const member = members.find((each) => each.name === name);
      return member && canonicalNumber(member);
    });
    if (from === undefined || size === undefined || from < end || size < 0) return undefined;
    end = from + size;
  }
  return { start, length };
}
