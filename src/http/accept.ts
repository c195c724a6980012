/**
 * Does an `Accept` header take one of these media types? The most specific range that matches a type decides
 * (RFC 9110, 12.5.1); parameters other than `q` are not looked at.
 */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header === "*/*" || header.trim() === "" || types.includes(header)) return true;
  const ranges = header.split(",").map(parseRange);
  return types.some((type) => {
    const names = [type, `${type.slice(0, type.indexOf("/"))}/*`, "*/*"];
    const matching = names.map((name) => ranges.find((range) => range.name === name));
    return (matching.find((range) => range !== undefined)?.quality ?? 0) > 0;
  });
}

function parseRange(text: string): { name: string; quality: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  // Some clients (Java's HttpURLConnection among them) shorten the range of everything to one star.
  return { name: name === "*" ? "*/*" : name, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
}
