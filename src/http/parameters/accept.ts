/** Media types of the API. Invenio's clients request Invenio's own type and get the same JSON. */
export const API_TYPES: readonly string[] = ["application/json", "application/vnd.inveniordm.v1+json"];

/**
 * Aliases of media types, each with the type of its answer. A range with a star matches the type of the answer:
 * `application/json;q=0` also refuses the aliases of JSON.
 */
const ANSWER_TYPES: ReadonlyMap<string, string> = new Map([
  ["application/vnd.inveniordm.v1+json", "application/json"],
  ["text/x-bibtex", "application/x-bibtex"],
  ["application/x-datacite+xml", "application/vnd.datacite.datacite+xml"],
]);

/**
 * Returns whether an `Accept` header accepts one of these media types. The most specific range that matches a type
 * decides (RFC 9110, 12.5.1); parameters other than `q` are ignored.
 */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header === "*/*" || header.trim() === "" || types.includes(header)) return true;
  const ranges = parseRanges(header);
  return types.some((type) => (matchRange(ranges, type)?.quality ?? 0) > 0);
}

/**
 * Returns the type that a client prefers: by `q`, then an explicitly named type before one that a star matches, then
 * the first one. Undefined if it accepts none of them.
 */
export function preferredType(header: string | undefined, types: readonly string[]): string | undefined {
  if (header === undefined || header.trim() === "") return types[0];
  const ranges = parseRanges(header);
  const rankedTypes = types.map((type) => {
    const range = matchRange(ranges, type);
    return { type, quality: range?.quality ?? 0, stars: range?.name.split("*").length ?? 0 };
  });
  const [best] = rankedTypes.sort((a, b) => b.quality - a.quality || a.stars - b.stars);
  return best !== undefined && best.quality > 0 ? best.type : undefined;
}

type Qualities = ReadonlyMap<string, number>;

/** Returns the most specific range that matches a type. */
function matchRange(ranges: Qualities, type: string): { readonly name: string; readonly quality: number } | undefined {
  const answerType = ANSWER_TYPES.get(type) ?? type;
  const names = [type, answerType, `${answerType.slice(0, answerType.indexOf("/"))}/*`, "*/*"];
  const name = names.find((candidate) => ranges.has(candidate));
  return name === undefined ? undefined : { name, quality: ranges.get(name)! };
}

/** Reads the ranges of an `Accept` header. If ranges differ only by parameters, the highest `q` counts. */
function parseRanges(header: string): Qualities {
  const ranges = new Map<string, number>();
  for (const [range, quality] of parseQualities(header)) {
    // Some clients, such as Java's HttpURLConnection, send one star for any type.
    const name = range === "*" ? "*/*" : range;
    ranges.set(name, Math.max(quality, ranges.get(name) ?? 0));
  }
  return ranges;
}

/** Elements of a list, and parameters of an element. Commas and semicolons in quotes do not separate them. */
const ELEMENT = /(?:"(?:\\.|[^"\\])*"?|[^,"])+/g;
const PARAMETER = /(?:"(?:\\.|[^"\\])*"?|[^;"])+/g;

/** Element of a header such as `Accept`, in lower case. */
interface WeighedElement {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly quality: number;
}

/**
 * Reads the elements of a header such as `Accept-Encoding` with their qualities: `gzip;q=0.5` is gzip with 0.5. The
 * package negotiator does not match `application/json; charset=utf-8`.
 */
export function parseElements(header: string): readonly WeighedElement[] {
  return (header.match(ELEMENT) ?? []).map((text) => {
    const [name = "", ...parameters] = (text.match(PARAMETER) ?? []).map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { name, parameters, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
}

/** Reads the names and qualities in a header such as `Accept-Encoding`: `gzip;q=0.5` is ["gzip", 0.5]. */
export const parseQualities = (header: string): readonly (readonly [string, number])[] =>
  parseElements(header).map(({ name, quality }) => [name, quality]);
