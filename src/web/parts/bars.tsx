import { Fragment } from "preact";
import type { RichText } from "../notation/rich-text.js";
import type { AxisTick, Bar } from "../views/facet-part.js";
import { number, WORDS } from "../words/page-en.js";
import { WithUnit } from "./number.js";
import type { Place } from "./place.js";
import { Link } from "./text.js";

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly unit?: RichText | undefined;
  /** Round numbers on the axis. Absent: years. */
  readonly ticks?: readonly AxisTick[] | undefined;
  /** Width of the drawing in its own units: 1 is about a pixel. */
  readonly width: number;
  readonly height: number;
}

/** Sizes in the units of the drawing. */
const AXIS_HEIGHT = 16;
const GAP = 2;
const YEAR_WIDTH = 30;
/** Height of the count above a bar. */
const TALLY_HEIGHT = 12;
/** Distance from an end of the axis at which a label is not centred, because it would be cut off. */
const END = 16;

/** A count above a bar is not read out, because the name of the bar has it. It stands outside of the link. */
const NOT_READ = { "aria-hidden": true } as const;

/** Histogram whose bars are links to their records, with the same numbers in a table. */
export function Bars({ label, bars, unit, ticks, width, height }: BarsProps, { root }: Place) {
  const countMax = bars.reduce((max, { count }) => Math.max(max, count), 1);
  const step = width / bars.length;
  const top = height - AXIS_HEIGHT;
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${label}: ${WORDS.search.barsCount}`}>
        <line class="axis" x1={0} y1={top + 0.5} x2={width} y2={top + 0.5} />
        {bars.map((bar, i) => {
          const barHeight = bar.count === 0 ? 0 : Math.max(2, (bar.count / countMax) * (top - TALLY_HEIGHT));
          const name = `${bar.label}: ${WORDS.search.records(bar.count)}`;
          const shape = (
            <>
              <title>{name}</title>
              <rect class="reach" x={short(i * step)} y={0} width={short(step)} height={top} {...dataAttributes(bar)} />
              <rect
                class="bar"
                x={short(i * step + GAP / 2)}
                y={short(top - barHeight)}
                width={short(step - GAP)}
                height={short(barHeight)}
              />
            </>
          );
          if (bar.page === undefined) return <g key={bar.label}>{shape}</g>;
          return (
            <Fragment key={bar.label}>
              <a href={root + bar.page} rel="nofollow" class={bar.isSelected ? "on" : ""} aria-label={name}>
                {shape}
              </a>
              {bar.count > 0 && (
                <text class="tally" {...NOT_READ} {...labelAt((i + 0.5) * step, top - barHeight - 3, width)}>
                  {number(bar.count)}
                </text>
              )}
            </Fragment>
          );
        })}
        {(ticks ?? yearTicks(bars)).map(({ at, text }) => (
          <text key={at} class="tick" {...labelAt(at * width, height - 4, width)}>
            {text}
          </text>
        ))}
      </svg>
      <BarTable bars={bars} unit={unit} />
    </figure>
  );
}

/** The numbers of a histogram as a table. */
function BarTable({ bars, unit }: Pick<BarsProps, "bars" | "unit">) {
  return (
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
  );
}

/** Returns the values of a bar as attributes, which the range brush reads. */
const dataAttributes = ({ from, to, count }: Bar) => ({
  "data-count": count,
  "data-from": typeof from === "number" ? from : undefined,
  "data-to": typeof to === "number" ? to : undefined,
});

/** Rounds a size to a hundredth of a pixel. */
const short = (size: number): number => Number(size.toFixed(2));

/** Returns the place of a label, which is centred unless it would be cut off at an end of the axis. */
const labelAt = (x: number, y: number, width: number) => ({
  x: short(x),
  y: short(y),
  "text-anchor": x < END ? "start" : x > width - END ? "end" : "middle",
});

/** Returns years below the middle of their bars, as far as there is room. */
function yearTicks(bars: readonly Bar[]): readonly AxisTick[] {
  const every = Math.max(1, Math.ceil((YEAR_WIDTH * bars.length) / LEAST_WIDTH));
  return bars.flatMap(({ from }, i): readonly AxisTick[] =>
    i % every === 0 && typeof from === "string" ? [{ at: (i + 0.5) / bars.length, text: from.slice(0, 4) }] : [],
  );
}

/** Width of the narrowest drawing. */
const LEAST_WIDTH = 240;
