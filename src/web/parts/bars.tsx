import type { RichText } from "../notation/rich-text.js";
import type { Bar } from "../views/facet-part.js";
import { number, WORDS } from "../words/page-en.js";
import { WithUnit } from "./number.js";
import type { Place } from "./place.js";
import { Link } from "./text.js";

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly unit?: RichText | undefined;
  /** Width of the drawing in its own units: 1 is about a pixel. */
  readonly width: number;
  readonly height: number;
}

/** Sizes in the units of the drawing. */
const AXIS_HEIGHT = 16;
const GAP = 2;
const LABEL_WIDTH = 54;
const YEAR_WIDTH = 30;

/** Histogram whose bars are links to their records, with the same numbers in a table. */
export function Bars({ label, bars, unit, width, height }: BarsProps, { root }: Place) {
  const countMax = bars.reduce((max, { count }) => Math.max(max, count), 1);
  const step = width / bars.length;
  const top = height - AXIS_HEIGHT;
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${label}: ${WORDS.search.barsCount}`}>
        <line class="axis" x1={0} y1={top + 0.5} x2={width} y2={top + 0.5} />
        {bars.map((bar, i) => {
          const barHeight = bar.count === 0 ? 0 : Math.max(2, (bar.count / countMax) * (top - 4));
          const name = `${bar.label}: ${WORDS.search.records(bar.count)}`;
          const shape = (
            <>
              <title>{name}</title>
              <rect class="reach" x={i * step} y={0} width={step} height={top} {...dataAttributes(bar)} />
              <rect class="bar" x={i * step + GAP / 2} y={top - barHeight} width={step - GAP} height={barHeight} />
            </>
          );
          if (bar.page === undefined) return <g key={bar.label}>{shape}</g>;
          return (
            <a
              key={bar.label}
              href={root + bar.page}
              rel="nofollow"
              class={bar.isSelected ? "on" : ""}
              aria-label={name}
            >
              {shape}
            </a>
          );
        })}
        {ticksOf(bars, step).map(({ x, text, anchor }) => (
          <text key={x} class="tick" x={x} y={height - 4} text-anchor={anchor}>
            {text}
          </text>
        ))}
      </svg>
      <details>
        <summary>{WORDS.search.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <WithUnit text={WORDS.search.range} unit={unit} />
              </th>
              <th scope="col" class="number">
                {WORDS.search.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ count }) => count > 0)
              .map((bar) => (
                <tr key={bar.label}>
                  <td>{bar.page === undefined ? bar.label : <Link to={bar.page}>{bar.label}</Link>}</td>
                  <td class="number">{number(bar.count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Returns the values of a bar as attributes, which the range brush reads. */
const dataAttributes = ({ from, to }: Bar) => ({
  "data-from": typeof from === "number" ? from : undefined,
  "data-to": typeof to === "number" ? to : undefined,
});

interface Tick {
  readonly x: number;
  readonly text: string;
  readonly anchor: "start" | "middle" | "end";
}

/** Returns the labels of the axis, as far as there is room. Numbers are at the edges of bars, years below bars. */
function ticksOf(bars: readonly Bar[], step: number): readonly Tick[] {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  return bars.flatMap((bar, i): readonly Tick[] => {
    if (i % every !== 0) return [];
    if (typeof bar.from === "number") {
      return [{ x: i * step, text: bar.mark ?? String(bar.from), anchor: i === 0 ? "start" : "middle" }];
    }
    if (typeof bar.from !== "string") return [];
    const text = bar.from.slice(0, 4);
    // Centred below a narrow first bar, a year would be cut off at the left.
    return i === 0 && step < YEAR_WIDTH
      ? [{ x: 0, text, anchor: "start" }]
      : [{ x: (i + 0.5) * step, text, anchor: "middle" }];
  });
}
