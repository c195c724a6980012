/** HTML that is finished: everything in it that came from outside is escaped. Made by `html` and `join` only. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[];

/** A template whose values are escaped, unless they are HTML already: html`<p>${text}</p>`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let markup = parts[0]!;
  values.forEach((value, i) => {
    markup += print(value) + parts[i + 1]!;
  });
  return { markup };
}

/** A text of the interface's description, whose only markup is `code` between backticks. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/);
  return { markup: parts.map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`).markup).join("") };
}

/** Nothing. */
export const NOTHING: Html = { markup: "" };

function print(value: Value): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if (isList(value)) return value.map(({ markup }) => markup).join("");
  return value.markup;
}

const isList = (value: Html | readonly Html[]): value is readonly Html[] => Array.isArray(value);

/** Text as it may stand in an element or in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character as keyof typeof ESCAPES]);
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
