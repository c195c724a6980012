/** One bar: where it is drawn, and the values that it counts. Absent ends are open. */
export interface Bin {
  readonly x: number;
  readonly width: number;
  readonly from?: number;
  readonly to?: number;
}

/** From places on an axis of bars to values and back. Within a bar the axis is even, or grows by a factor. */
export class RangeScale {
  constructor(
    private readonly bins: readonly Bin[],
    private readonly isLog: boolean,
  ) {}

  get left(): number {
    return this.bins[0]!.x;
  }

  get right(): number {
    const last = this.bins.at(-1)!;
    return last.x + last.width;
  }

  /** Places where bars meet, and both ends. */
  get edges(): readonly number[] {
    return [...this.bins.map(({ x }) => x), this.right];
  }

  /** The value at a place; undefined where it is beyond all numbers: at either end, and within a bar that is open. */
  valueAt(place: number): number | undefined {
    const bin = this.bins.find(({ x, width }) => place < x + width) ?? this.bins.at(-1)!;
    const { from, to, x, width } = bin;
    const part = Math.min(1, Math.max(0, (place - x) / width));
    if (part === 0 && from !== undefined) return from;
    if (part === 1 && to !== undefined) return to;
    if (from === undefined || to === undefined) return undefined;
    const value = this.isLog ? from * (to / from) ** part : from + (to - from) * part;
    return Number(value.toPrecision(DIGITS));
  }

  /** The place of a value; of undefined that of the end. */
  placeOf(value: number | undefined, end: "left" | "right"): number {
    if (value === undefined) return this[end];
    const bin = this.bins.find(({ from = -Infinity, to = Infinity }) => value >= from && value < to);
    if (bin === undefined) return value < (this.bins[0]!.from ?? -Infinity) ? this.left : this.right;
    const { from, to, x, width } = bin;
    if (from === undefined) return end === "left" ? x : x + width;
    if (to === undefined) return end === "left" && value > from ? x + width : x;
    const part = this.isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return x + part * width;
  }
}

/** Of a value that is drawn with a pointer: about what a pixel tells apart. */
const DIGITS = 2;
