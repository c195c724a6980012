/** Splits a highlighted text, which is HTML with only `em` elements. Parts with odd indexes are highlighted. */
export const splitHighlights = (html: string): readonly string[] => html.split(/<em>([^<]*)<\/em>/).map(unescapeHtml);

/** Returns a highlighted text as plain text. */
export const textOfHtml = (html: string): string => splitHighlights(html).join("");

const unescapeHtml = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]!);

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
