/** Highlighted texts are HTML in which `em` alone is markup: pages take them apart, and escape the parts again. */

/** Parts of a text, those at odd places marked. */
export const partsOf = (html: string): readonly string[] => html.split(/<em>(.*?)<\/em>/s).map(unescapeHtml);

export const textOfHtml = (html: string): string => partsOf(html).join("");

const unescapeHtml = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => NAMED[name]!);

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
