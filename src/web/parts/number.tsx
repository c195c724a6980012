import { Fragment } from "preact";
import { isLongNumber, type NumberColumn } from "../notation/columns.js";
import type { Quantity } from "../notation/quantity.js";
import type { RichText } from "../notation/rich-text.js";
import { WORDS } from "../words/page-en.js";

/** A line of text with superscripts, subscripts and italics. */
export function RichLine({ text }: { readonly text: RichText }) {
  return (
    <>
      {text.map((span, i) => {
        if (typeof span === "string") return <Fragment key={i}>{span}</Fragment>;
        const Style = span.style;
        return <Style key={i}>{span.text}</Style>;
      })}
    </>
  );
}

interface AmountProps {
  readonly quantity: Quantity;
  /** Column of the number, which has its unit in the head or lines it up on the decimal point. */
  readonly column?: NumberColumn | undefined;
}

/** A number with its error and unit. */
export function Amount({ quantity, column }: AmountProps) {
  const { whole, rest, restWithoutUnit } = quantity;
  const shown = (
    <>
      <RichLine text={column?.unit === undefined ? rest : restWithoutUnit} />
      <DerivedFrom quantity={quantity} />
    </>
  );
  return (
    <>
      {whole}
      {column === undefined || column.rest === 0 ? shown : <span class={`rest rest-${column.rest}`}>{shown}</span>}
    </>
  );
}

/** Symbols of the quantities from which a number is derived, in brackets. */
export function DerivedFrom({ quantity }: { readonly quantity: Quantity | undefined }) {
  if (quantity?.from === undefined) return null;
  return (
    <span class="soft origin">
      {` (${WORDS.numbers.from} `}
      <RichLine text={quantity.from} />)
    </span>
  );
}

/** Returns the tooltip of a number: what was deposited, and both readings of a relative error. */
export function amountTitle({ deposited, bothErrors }: Quantity): string | undefined {
  const { numbers } = WORDS;
  const parts = [
    ...(deposited === undefined ? [] : [numbers.deposited(deposited)]),
    ...(bothErrors === undefined ? [] : [numbers.bothErrors(...bothErrors)]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** Returns the tooltips of several numbers. */
export const amountTitles = (quantities: readonly Quantity[]): string | undefined =>
  quantities.flatMap((each) => amountTitle(each) ?? []).join(", ") || undefined;

/** Returns the class of a number. Long numbers may break at blanks. */
export const amountClass = (base: string, { text }: Quantity): string => (isLongNumber(text) ? `${base} long` : base);

/** Head of a column, with the unit that all its numbers share. */
export function WithUnit({ text, unit }: { readonly text: string | RichText; readonly unit: RichText | undefined }) {
  return (
    <>
      {typeof text === "string" ? text : <RichLine text={text} />}
      {unit !== undefined && unit.length > 0 && (
        <>
          {" ("}
          <RichLine text={unit} />)
        </>
      )}
    </>
  );
}
