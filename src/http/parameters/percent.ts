/** One character in percent-encoded, well-formed UTF-8 (Unicode 15, table 3-7). */
const CHARACTER = [
  "%[0-7][0-9a-f]",
  "%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]",
  "%e0%[ab][0-9a-f]%[89ab][0-9a-f]",
  "%e(?:[1-9abcef])%[89ab][0-9a-f]%[89ab][0-9a-f]",
  "%ed%[89][0-9a-f]%[89ab][0-9a-f]",
  "%f0%[9ab][0-9a-f]%[89ab][0-9a-f]%[89ab][0-9a-f]",
  "%f[1-3]%[89ab][0-9a-f]%[89ab][0-9a-f]%[89ab][0-9a-f]",
  "%f4%8[0-9a-f]%[89ab][0-9a-f]%[89ab][0-9a-f]",
].join("|");
const CHARACTERS = new RegExp(`(?:${CHARACTER})+`, "gi");
const CHARACTERS_OR_SIGN = new RegExp(`(?:${CHARACTER})+|%`, "gi");

/** Decodes what is percent-encoded UTF-8; everything else (`50%`, `%zz`, `%ff`) stays as it stands. Never throws. */
export function decodePercent(text: string): string {
  return text.includes("%") ? text.replace(CHARACTERS, decodeURIComponent) : text;
}

const ABSOLUTE_URL = /^https?:\/\/[^/?#]*/i;

/** Returns whether the target of a request is a whole URL, as clients send it to proxies (RFC 9112, 3.2.2). */
export const isAbsoluteUrl = (target: string): boolean => ABSOLUTE_URL.test(target);

/**
 * Returns the path and query of a request's target such that the path can be decoded whatever was sent: a percent
 * sign that encodes nothing becomes `%25`. The query string keeps its own. The host of a whole URL is dropped.
 */
export function repairUrl(target: string): string {
  const url = target.startsWith("/") ? target : target.replace(ABSOLUTE_URL, "").replace(/^(?=$|[?#])/, "/");
  if (!url.includes("%")) return url;
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  const repaired = path.replace(CHARACTERS_OR_SIGN, (found) => (found === "%" ? "%25" : found));
  return end === -1 ? repaired : repaired + url.slice(end);
}

/** Like encodeURIComponent, but a lone surrogate, for which that throws, becomes U+FFFD. */
export function encodeText(text: string): string {
  return PLAIN_TEXT.test(text) ? text : encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"));
}

/** One segment of a path. Colons, which stand in most ids of terms, stay readable. */
export function encodeSegment(text: string): string {
  return PLAIN_SEGMENT.test(text) ? text : encodeText(text).replaceAll("%3A", ":");
}

/** Most of what links carry: nothing of it is encoded. */
const PLAIN_TEXT = /^[\w.~-]*$/;
const PLAIN_SEGMENT = /^[\w:.~-]+$/;
