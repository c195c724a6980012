import { Fragment } from "preact";
import { partsOf } from "../views/texts.js";

/** A text of the interface's description, whose only markup is `code` between backticks. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return (
    <>{parts.map((part, i) => (i % 2 === 0 ? <Fragment key={i}>{part}</Fragment> : <code key={i}>{part}</code>))}</>
  );
}

/** A highlighted text. */
export function Highlighted({ html }: { readonly html: string }) {
  const parts = partsOf(html);
  return (
    <>{parts.map((part, i) => (i % 2 === 0 ? <Fragment key={i}>{part}</Fragment> : <mark key={i}>{part}</mark>))}</>
  );
}
