import type { Bucket, SelectedValue } from "../../core/answers/searches.js";
import type { Unit, Units } from "../../core/units/units.js";
import type { Vocabularies } from "../notation/names.js";
import type { RichText } from "../notation/rich-text.js";
import type { SearchAddress } from "./page-addresses.js";

/**
 * Presentation of a kind of facet on pages.
 * @typeParam Facet the searched facet of this kind
 */
export interface FacetPart<Facet> {
  /** Returns bars in the order of their values. Absent if pages list the values, the most frequent first. */
  drawBars?(facet: Facet, buckets: readonly Bucket[], context: FacetPageContext): FacetBars;
  /** Returns the unit in which a page shows the numbers of a facet. Absent for other values. */
  unitOf?(facet: Facet, context: FacetPageContext): RichText | undefined;
  /** Labels a bucket in the unit in which a page shows its numbers. Absent: buckets keep their labels. */
  labelOf?(facet: Facet, bucket: SelectedValue, context: Pick<FacetPageContext, "units" | "shownIn">): string;
  /** Returns a query clause that selects a key. A facet has the name of its field. Undefined for an unknown value. */
  clauseOf(facet: Facet, key: string, value: SelectedValue | undefined): string | undefined;
}

/** The page that shows a facet: its address and units. */
export interface FacetPageContext {
  readonly address: SearchAddress;
  /** Units for conversions. Absent: readers cannot select ranges. */
  readonly units?: Units | undefined;
  /** Units of shown numbers, by facet. */
  readonly shownIn?: ReadonlyMap<string, Unit> | undefined;
  /** Vocabularies of the catalog, which declare how the names of terms are written. Absent: upright. */
  readonly vocabularies?: Vocabularies | undefined;
  /** Returns the declared symbol of a quantity. */
  symbolOf?(name: string): string | undefined;
  /** Writes a deposited text at one of some paths in the words of the models. Absent or undefined: as deposited. */
  wordsAt?(paths: readonly string[], text: string): RichText | undefined;
}

/** Bars of a facet. */
export interface FacetBars {
  readonly bars: readonly Bar[];
  /** Unit of all numbers. Absent: they have none, or each has its own. */
  readonly unit?: RichText | undefined;
  readonly range?: RangeView | undefined;
  /** Round numbers on the axis. Absent: the axis shows years. */
  readonly ticks?: readonly AxisTick[] | undefined;
}

/** A label of an axis. */
export interface AxisTick {
  /** Place on the axis, from 0 to 1. */
  readonly at: number;
  readonly text: string;
}

/** Bar of a histogram. */
export interface Bar {
  readonly label: string;
  /** First value, in the unit of the facet. Absent: no lower bound. */
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
  readonly count: number;
  readonly isSelected: boolean;
  /** Address of the page with the filter toggled. Absent if that page would have no hits. */
  readonly page?: string;
}

/** Properties of a histogram for selecting a range. */
export interface RangeView {
  readonly scale: "log" | "linear";
  /** Units for entering numbers. The number in the unit of the bars is (number + offset) × factor. */
  readonly units: readonly {
    readonly name: string;
    /** The unit as pages write it. */
    readonly label: string;
    readonly factor: number;
    readonly offset: number;
  }[];
  /** Active filter, as in the address. */
  readonly selected: string | undefined;
  /** Unit in which the page shows all numbers. Absent: the size of each number decides. */
  readonly shownIn: string | undefined;
}

/** Makes the bar of a bucket. */
export function makeBar(name: string, bucket: Bucket, address: SearchAddress): Bar {
  const { key, label, doc_count, is_selected } = bucket;
  const page = is_selected ? address.minus(name, key) : address.plus(name, key);
  return {
    label,
    count: doc_count,
    isSelected: is_selected,
    page: String(page),
    from: bucket.from,
    to: bucket.to,
  };
}
