/** XML text by a tagged template: values are escaped, and elements made by `xml` stay as they are. */

/** XML that is already escaped. */
export class Xml {
  constructor(readonly text: string) {}
}

type Part = string | number | Xml | undefined | readonly Part[];

/** Makes XML of a template. `undefined` and empty lists add nothing. */
export function xml(strings: TemplateStringsArray, ...parts: readonly Part[]): Xml {
  return new Xml(strings.reduce((text, string, i) => text + partText(parts[i - 1]) + string));
}

function partText(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Xml) return part.text;
  if (typeof part === "object") return part.map(partText).join("");
  return escapeXml(String(part));
}

/** Makes an element. @param attributes undefined ones are left out */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  ...content: readonly Part[]
): Xml {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? "" : ` ${key}="${escapeXml(value)}"`,
  );
  return new Xml(`<${name}${written.join("")}>${partText(content)}</${name}>`);
}

/** Characters that XML 1.0 forbids (production 2): most controls, lone surrogates, U+FFFE and U+FFFF. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"\r]/g, (character) => ENTITIES[character]!);
}
