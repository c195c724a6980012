/** Media types of the API: Invenio's clients ask for its own, and get the same JSON. */
export const API_TYPES: readonly string[] = ["application/json", "application/vnd.inveniordm.v1+json"];

/**
 * Does an `Accept` header take one of these media types? The most specific range that matches a type decides
 * (RFC 9110, 12.5.1); parameters other than `q` are not looked at.
 */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header === "*/*" || header.trim() === "" || types.includes(header)) return true;
  const ranges = parseRanges(header);
  return types.some((type) => (matchRange(ranges, type)?.quality ?? 0) > 0);
}

/**
 * Which of the types a client likes best: by `q`, then the one that it names rather than one under a star, then the
 * first one. Undefined where it takes none.
 */
export function preferredType(header: string | undefined, types: readonly string[]): string | undefined {
  if (header === undefined || header.trim() === "") return types[0];
  const ranges = parseRanges(header);
  const liked = types.map((type) => {
    const range = matchRange(ranges, type);
    return { type, quality: range?.quality ?? 0, stars: range?.name.split("*").length ?? 0 };
  });
  const [best] = liked.sort((a, b) => b.quality - a.quality || a.stars - b.stars);
  return best !== undefined && best.quality > 0 ? best.type : undefined;
}

interface MediaRange {
  readonly name: string;
  readonly quality: number;
}

/** The most specific range that a type falls under. */
function matchRange(ranges: readonly MediaRange[], type: string): MediaRange | undefined {
  const names = [type, `${type.slice(0, type.indexOf("/"))}/*`, "*/*"];
  return names.map((name) => ranges.find((range) => range.name === name)).find((range) => range !== undefined);
}

function parseRanges(header: string): readonly MediaRange[] {
  // Some clients (Java's HttpURLConnection among them) shorten the range of everything to one star.
  return parseQualities(header).map(([name, quality]) => ({ name: name === "*" ? "*/*" : name, quality }));
}

/**
 * What a header such as `Accept-Encoding` lists, in lower case, with the qualities: `gzip;q=0.5` as ["gzip", 0.5].
 * Other parameters are left out; the package negotiator would not find `application/json; charset=utf-8`.
 */
export function parseQualities(header: string): readonly (readonly [string, number])[] {
  return header.split(",").map((text) => {
    const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
  });
}
