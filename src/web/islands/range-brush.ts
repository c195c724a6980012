import { SCRIPT_WORDS } from "../words/script-en.js";
import { ADDED, createAdded, Island } from "./island.js";
import { showState } from "./page-change.js";

const words = SCRIPT_WORDS.range;
const SVG = "http://www.w3.org/2000/svg";

/** Distance at which a pointer draws a range instead of pressing a bar, in pixels. */
const DRAG_MIN = 4;
/** Time without a key press before the range applies, in milliseconds. */
const PAUSE_MS = 400;
/** Sizes of a handle in the units of the drawing: its grip, and the wider area that a pointer hits. */
const GRIP = { width: 9, height: 22 };
const REACH = 16;
/** Distance at which a drawn end is that of a bar, in the units of the drawing. */
const SNAP = 3;
/** Length of a fine step as part of a bar. */
const FINE = 0.1;

type Ends = readonly [from: number | undefined, to: number | undefined];
interface Unit {
  readonly name: string;
  readonly label: string;
  readonly factor: number;
  readonly offset: number;
}

/**
 * Histogram on which readers select a range: with a pointer, with two sliders, or with two numbers in any unit. The
 * element has name, unit, scale and units of the facet in `data-*` attributes, and each bar has its bounds.
 */
export class RangeBrush extends Island {
  readonly #area = this.own(svg("rect", { class: "brushed", y: "0" }));
  readonly #handles = [this.own(createHandle()), this.own(createHandle())] as const;
  /** Number of records in the range while it is drawn. */
  readonly #count = createAdded("output", { class: "soft" });
  /** Fields without a form, because Enter would press the first box of the filters. */
  readonly #fields = [
    createAdded("input", { size: "7", form: "" }),
    createAdded("input", { size: "7", form: "" }),
  ] as const;
  readonly #unit = createAdded("select", { "aria-label": words.unit });
  readonly #line = this.own(
    createAdded("p", { class: "range-fields" }, this.#fields[0], " – ", this.#fields[1], this.#count),
  );
  #ends: Ends = [undefined, undefined];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    for (const [i, handle] of this.#handles.entries()) {
      handle.addEventListener("keydown", (event) => this.#step(event, i as 0 | 1));
    }
    for (const field of this.#fields) field.addEventListener("change", () => this.#readFields());
    this.#unit.addEventListener("change", () => this.#showIn(this.#unit.value));
    this.addEventListener("pointerdown", (event) => {
      const svgRoot = this.find<SVGSVGElement>("svg");
      if (event.target instanceof Node && svgRoot?.contains(event.target)) this.#drag(svgRoot, event);
    });
  }

  protected enhance(): void {
    const svgRoot = this.find<SVGSVGElement>("svg");
    if (svgRoot === undefined) return;
    if (!svgRoot.contains(this.#area) || !this.contains(this.#line)) this.#build(svgRoot);
    this.#ends = readEnds(this.dataset.selected ?? "");
    this.#unit.value = this.dataset.unit ?? this.#handyUnit(this.#units)?.name ?? "";
    this.#draw();
    this.#count.value = "";
  }

  get #scale(): RangeScale {
    const bins = [...this.querySelectorAll<SVGElement>(".reach")].map((bar): Bin => {
      const { from, to } = bar.dataset;
      const place = { x: Number(bar.getAttribute("x")), width: Number(bar.getAttribute("width")) };
      const count = Number(bar.dataset.count);
      return {
        ...place,
        count,
        ...(from === undefined ? {} : { from: +from }),
        ...(to === undefined ? {} : { to: +to }),
      };
    });
    return new RangeScale(bins, this.dataset.scale === "log");
  }

  get #units(): readonly Unit[] {
    return JSON.parse(this.dataset.units ?? "[]") as readonly Unit[];
  }

  /** Adds the selected range and its handles to a drawing without them. */
  #build(svgRoot: SVGSVGElement): void {
    const height = this.find(".reach")!.getAttribute("height")!;
    this.#area.setAttribute("height", height);
    for (const handle of this.#handles) shapeHandle(handle, Number(height));
    for (const i of [0, 1] as const) {
      const label = `${this.dataset.label} ${i === 0 ? words.from : words.to}`;
      this.#handles[i].setAttribute("aria-label", label);
      this.#fields[i].setAttribute("aria-label", label);
    }
    svgRoot.append(this.#area, ...this.#handles);
    this.#unit.replaceChildren(...this.#units.map(({ name, label }) => new Option(label, name)));
    if (this.#unit.length > 0 && !this.#line.contains(this.#unit)) this.#count.before(" ", this.#unit, " ");
    this.find("figure")!.append(this.#line);
  }

  /** Returns the largest unit in which the middle of the axis is at least 1. */
  #handyUnit(units: readonly Unit[]): Unit | undefined {
    const scale = this.#scale;
    const middle = scale.valueAt((scale.left + scale.right) / 2) ?? 1;
    const fitting = units.filter(({ factor, offset }) => offset === 0 && factor <= Math.abs(middle));
    return fitting.toSorted((a, b) => b.factor - a.factor)[0] ?? units[0];
  }

  #draw(): void {
    const scale = this.#scale;
    const places = [scale.placeOf(this.#ends[0], "left"), scale.placeOf(this.#ends[1], "right")] as const;
    const isSet = this.#ends.some((end) => end !== undefined);
    this.#area.setAttribute("x", String(places[0]));
    this.#area.setAttribute("width", isSet ? String(Math.max(0, places[1] - places[0])) : "0");
    for (const [i, handle] of this.#handles.entries()) {
      const end = this.#ends[i];
      // Keeps the grip within the drawing.
      const x = Math.min(Math.max(places[i]!, scale.left + GRIP.width / 2), scale.right - GRIP.width / 2);
      handle.setAttribute("transform", `translate(${x} 0)`);
      // The value of the slider is its position on the axis in percent.
      const percent = Math.round(((places[i]! - scale.left) / (scale.right - scale.left)) * 100);
      handle.setAttribute("aria-valuenow", String(percent));
      handle.setAttribute(
        "aria-valuetext",
        end === undefined ? words.open : `${this.#formatNumber(end).replaceAll("-", "−")}\u202f${this.#unitLabel}`,
      );
      const field = this.#fields[i]!;
      if (field !== document.activeElement) field.value = end === undefined ? "" : this.#formatNumber(end);
    }
  }

  get #unitLabel(): string {
    return this.#unit.selectedOptions[0]?.label ?? "";
  }

  #formatNumber(value: number): string {
    const unit = this.#units.find(({ name }) => name === this.#unit.value);
    return String(Number((unit === undefined ? value : value / unit.factor - unit.offset).toPrecision(6)));
  }

  #drag(svgRoot: SVGSVGElement, { button, clientX, pointerId, target }: PointerEvent): void {
    if (button !== 0) return;
    const box = svgRoot.getBoundingClientRect();
    const placeAt = (x: number): number => ((x - box.left) / box.width) * svgRoot.viewBox.baseVal.width;
    const scale = this.#scale;
    // A handle moves its end, and the other end stays. Elsewhere, a new range begins.
    const handle = this.#handles.findIndex((each) => target instanceof Node && each.contains(target));
    const fixed = handle === -1 ? placeAt(clientX) : this.#placeOf(handle === 0 ? 1 : 0, scale);
    const end0 = handle === -1 ? scale.valueNear(fixed) : this.#ends[handle === 0 ? 1 : 0];
    let isDrawn = false;
    const move = (event: PointerEvent): void => {
      isDrawn ||= Math.abs(event.clientX - clientX) >= DRAG_MIN;
      if (!isDrawn) return;
      svgRoot.setPointerCapture(pointerId);
      const place = placeAt(event.clientX);
      const moved = scale.valueNear(place);
      this.#ends = place < fixed ? [moved, end0] : [end0, moved];
      this.#draw();
      this.#count.value = words.count(scale.countBetween(this.#placeOf(0, scale), this.#placeOf(1, scale)));
    };
    const end = (): void => {
      svgRoot.removeEventListener("pointermove", move);
      if (isDrawn) this.#apply();
    };
    svgRoot.addEventListener("pointermove", move);
    svgRoot.addEventListener("pointerup", end, { once: true });
    // Suppresses the click on a bar at the end of a drag.
    svgRoot.addEventListener("click", (event) => isDrawn && event.preventDefault(), { capture: true, once: true });
    svgRoot.addEventListener("dragstart", (event) => event.preventDefault(), { once: true });
  }

  #placeOf(which: 0 | 1, scale: RangeScale): number {
    return scale.placeOf(this.#ends[which], which === 0 ? "left" : "right");
  }

  #step(event: KeyboardEvent, which: 0 | 1): void {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const scale = this.#scale;
    const here = this.#placeOf(which, scale);
    const [first = 0, second = 1] = scale.edges;
    const beyond = scale.edges.filter((edge) => (edge - here) * direction > 1e-6);
    const next = (direction > 0 ? beyond[0] : beyond.at(-1)) ?? here;
    const place = event.shiftKey ? here + direction * (second - first) * FINE : next;
    const end = place <= scale.left || place >= scale.right ? undefined : scale.valueAt(place);
    this.#ends = which === 0 ? [end, this.#ends[1]] : [this.#ends[0], end];
    this.#draw();
    this.#count.value = words.count(scale.countBetween(this.#placeOf(0, scale), this.#placeOf(1, scale)));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(), PAUSE_MS);
  }

  #readFields(): void {
    const texts = this.#fields.map(({ value }) => value.trim());
    if (texts.every((text) => text === "" || Number.isFinite(Number(text)))) {
      this.#show(texts.map((text) => (text === "" ? "" : text + this.#unit.value)).join(".."));
    } else for (const field of this.#fields) field.ariaInvalid = String(!Number.isFinite(Number(field.value)));
  }

  #apply(): void {
    this.#show(this.#ends.map((end) => end ?? "").join(".."));
  }

  /** Shows the numbers of this quantity on the whole page in a unit. */
  #showIn(unit: string): void {
    const url = new URL(location.href);
    url.searchParams.set(`unit.${this.dataset.name}`, unit);
    void showState(url);
  }

  /** Searches with a range. @param range value of the filter, such as `1nM..10nM` or `..5` */
  #show(range: string): void {
    const { name = "" } = this.dataset;
    const url = new URL(location.href);
    for (const each of [name, "page", "cursor"]) url.searchParams.delete(each);
    if (range !== "..") url.searchParams.set(name, range);
    void showState(url);
  }
}

/** Returns the bounds of a filter in the unit of the facet. */
function readEnds(range: string): Ends {
  const [from = "", to = ""] = range.split("..");
  return [from === "" ? undefined : Number(from), to === "" ? undefined : Number(to)];
}

/** Creates a handle: a line with a grip. Its parts get their sizes later, because they depend on the drawing. */
function createHandle(): SVGGElement {
  const handle = svg("g", { class: "handle", role: "slider", tabindex: "0" });
  handle.append(svg("rect", { class: "hit" }), svg("path", { class: "line" }), svg("rect", { class: "grip", rx: "3" }));
  handle.append(svg("path", { class: "ridges" }));
  return handle;
}

/** Gives the parts of a handle their sizes. @param height of the bars */
function shapeHandle(handle: SVGGElement, height: number): void {
  const [hit, line, grip, ridges] = handle.children as unknown as SVGElement[];
  const box = { x: -REACH / 2, y: 0, width: REACH, height };
  const gripBox = { ...GRIP, x: -GRIP.width / 2, y: (height - GRIP.height) / 2 };
  for (const [name, value] of Object.entries(box)) hit!.setAttribute(name, String(value));
  for (const [name, value] of Object.entries(gripBox)) grip!.setAttribute(name, String(value));
  line!.setAttribute("d", `M0 0V${height}`);
  ridges!.setAttribute("d", `M-1.5 ${height / 2 - 5}v10m3 0v-10`);
}

function svg<K extends "rect" | "path" | "g">(
  tag: K,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries({ [ADDED]: "", ...attributes })) element.setAttribute(name, value);
  return element;
}

/** A bar with its position in the drawing and the bounds of its values. Absent bounds are open. */
interface Bin {
  readonly x: number;
  readonly width: number;
  readonly count: number;
  readonly from?: number;
  readonly to?: number;
}

/** Converts positions on an axis of bars to values and back. Within a bar, the axis is linear or logarithmic. */
class RangeScale {
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

  /** Positions of the boundaries of bars. */
  get edges(): readonly number[] {
    return [...this.bins.map(({ x }) => x), this.right];
  }

  /** Returns the value at a position, or undefined at an open end of the axis or within a bar with an open bound. */
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

  /** Returns the value at a position: at an edge if one is near, and none beyond the ends of the axis. */
  valueNear(place: number): number | undefined {
    if (place <= this.left + SNAP || place >= this.right - SNAP) return undefined;
    const edge = this.edges.find((each) => Math.abs(each - place) <= SNAP);
    return this.valueAt(edge ?? place);
  }

  /** Returns the number of records between two positions, and whether it is exact: bars are whole. */
  countBetween(from: number, to: number): { readonly count: number; readonly isExact: boolean } {
    let count = 0;
    let isExact = true;
    for (const bin of this.bins) {
      const part = Math.max(0, Math.min(to, bin.x + bin.width) - Math.max(from, bin.x)) / bin.width;
      count += part * bin.count;
      if (bin.count > 0 && part > 1e-6 && part < 1 - 1e-6) isExact = false;
    }
    return { count: Math.round(count), isExact };
  }

  /** Returns the position of a value. Undefined has the position of an end of the axis. */
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

/** Significant digits of a value selected with a pointer: about the resolution of a pixel. */
const DIGITS = 2;
