/** Secrets of Bindery with their prefixes: tokens of users and secrets of webhooks, up to the end of the value. */
const SECRETS = /(bnd_)[^\s"'\\&;,:@/?#<>]+|(whsec_)[^\s"'\\&;,?#<>]+/g;
const BEGINNINGS = /bnd_|whsec_/;

/** Parameters whose name says that the value is a secret. */
const SECRET_PARAMETERS =
  /([?&;]|^)((?:access_|refresh_|id_|auth_)?token|api_?key|password|passwd|secret|authorization)=([^\s"'\\&;#]+)/gi;

const SECRET_NAMES = /(?:token|api_?key|password|passwd|secret|authorization)=/i;

/** Name and password before the host of an address. */
const USER_INFO = /(:\/\/)[^\s"'\\/@?#]+@/g;

/** Maximum number of nested percent-encodings that are decoded. */
const ENCODINGS_MAX = 8;

/** Replaces every token and every secret of a webhook in a text, including percent-encoded ones. */
export function hideSecrets(text: string): string {
  // Most texts have none, and a search for the prefixes is much faster than the pattern.
  const plain = text.includes("bnd_") || text.includes("whsec_") ? text.replace(SECRETS, "$1$2***") : text;
  return plain.includes("%") && BEGINNINGS.test(decodeWhole(plain)) ? hideEncoded(plain, [SECRETS]) : plain;
}

/** Replaces the secrets in an address: those of `hideSecrets`, and the values of secret parameters and logins. */
export function hideSecretsOfUrl(url: string): string {
  const text = url.includes("%") ? decodeWhole(url) : url;
  return mayHaveSecrets(text) ? hideEncoded(url, [SECRETS, SECRET_PARAMETERS, USER_INFO]) : url;
}

/** Returns whether a decoded address may have secrets. Runs for every log line, so it first looks for signs. */
function mayHaveSecrets(text: string): boolean {
  return (
    (text.includes("_") && BEGINNINGS.test(text)) ||
    (text.includes("=") && SECRET_NAMES.test(text)) ||
    (text.includes("@") && text.search(USER_INFO) >= 0)
  );
}

/** Decodes all levels of percent-encoding, to check whether the text has secrets. */
function decodeWhole(text: string): string {
  let decoded = text;
  for (let n = 0; n < ENCODINGS_MAX && decoded.includes("%"); n++) {
    const next = decoded.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** A decoded text, with the index of each character in the encoded text. */
interface Decoded {
  readonly text: string;
  readonly starts: readonly number[];
}

function hideEncoded(encoded: string, patterns: readonly RegExp[]): string {
  const levels = decodedLevels(encoded);
  const spans = levels.flatMap((level) => patterns.flatMap((pattern) => secretSpans(level, pattern)));
  let hidden = encoded;
  for (const [start, end] of mergeSpans(spans).toReversed()) {
    hidden = `${hidden.slice(0, start)}***${hidden.slice(end)}`;
  }
  return hidden;
}

/** Returns the text, decoded zero times, once, twice and so on: a secret may end at another character at each level. */
function decodedLevels(encoded: string): readonly Decoded[] {
  let level: Decoded = { text: encoded, starts: Array.from({ length: encoded.length + 1 }, (_, i) => i) };
  const levels = [level];
  for (let n = 0; n < ENCODINGS_MAX && /%[0-9a-f]{2}/i.test(level.text); n++) {
    level = decodeOnce(level);
    levels.push(level);
  }
  return levels;
}

/** Decodes each byte separately, so that invalid UTF-8 cannot hide a secret. */
function decodeOnce({ text, starts }: Decoded): Decoded {
  const signs: string[] = [];
  const places: number[] = [];
  for (let at = 0; at < text.length; ) {
    const code = /^%[0-9a-f]{2}/i.exec(text.slice(at, at + 3));
    signs.push(code === null ? text[at]! : String.fromCharCode(Number.parseInt(code[0].slice(1), 16)));
    places.push(starts[at]!);
    at += code === null ? 1 : 3;
  }
  return { text: signs.join(""), starts: [...places, starts.at(-1)!] };
}

type Span = readonly [start: number, end: number];

/** Returns the places of the secrets of a level in the encoded text, without their prefixes and names. */
function secretSpans({ text, starts }: Decoded, pattern: RegExp): readonly Span[] {
  return Array.from(text.matchAll(pattern), (match): Span => {
    const end = match.index + match[0].length;
    const isParameter = pattern === SECRET_PARAMETERS;
    const kept = isParameter ? match[0].length - match[3]!.length : (match[1] ?? match[2])!.length;
    const closing = pattern === USER_INFO ? 1 : 0;
    return [starts[match.index + kept]!, starts[end - closing]!];
  });
}

function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: [number, number][] = [];
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/**
 * Characters that affect a terminal or are invisible: controls (C0, DEL, C1, including line breaks and ESC), marks that
 * change the direction of text, other line ends, zero-width characters that make different texts look alike, and
 * unpaired surrogates.
 */
const UNPRINTABLE =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** The same characters without those that JSON itself escapes. In JSON they occur only in strings. */
const UNPRINTABLE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns a text as one line that is safe on a terminal: other characters are escaped: `\n`, `\u001b`, `\u202e`. */
export function printableLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, (sign) => SHORT[sign] ?? escapeUnits(sign));
}

/** Returns a text of several lines, each of which is safe on a terminal. */
export function printableText(text: string): string {
  return text.split("\n").map(printableLine).join("\n");
}

/** Returns equivalent JSON that is safe on a terminal. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE_IN_JSON, escapeUnits);
}

const escapeUnits = (sign: string): string =>
  Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
