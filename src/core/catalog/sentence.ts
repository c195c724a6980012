/** Sentences that a model declares: texts with values of a record in them. */
import { nearestNames } from "../nearest.js";
import { hasPath, type Shape } from "./walk-schema.js";

/** A text with values in it. A part in brackets is left out if one of its values is missing. */
export interface Sentence {
  readonly parts: readonly SentencePart[];
}

interface SentencePart {
  readonly isOptional: boolean;
  readonly spans: readonly (string | SentenceValue)[];
}

/** Place of values in a sentence. */
export interface SentenceValue {
  /** Paths from the root of the body. The first one with a value counts. */
  readonly paths: readonly string[];
  /** Text that is treated as a missing value because it is the usual one: `100 % (v/v)`. */
  readonly except?: string | undefined;
  /** Text between all values. Absent: only distinct values are written, with commas. */
  readonly separator?: string | undefined;
  /**
   * Nouns for one value and for several. If present, the number of distinct values in the record is written instead of
   * the values, with its noun.
   */
  readonly counted?: { readonly one: string; readonly many: string } | undefined;
}

/** Paths that names in a sentence may start from. */
export interface SentenceScope {
  /** Path of the object or the list of objects that the sentence is about. Undefined: the whole record. */
  readonly base: string | undefined;
  /** Prefixes that names of the whole record may omit, with their dot. */
  readonly roots: readonly string[];
}

const PART = /\[([^[\]]*)\]/;
const VALUE = /\{([^{}]*)\}/;
/** `a.b or c`, with ` != text` or a separator in quotes. */
const PLACE = /^([\w.]+(?: or [\w.]+)*)(?: != ([^"]+)| "([^"]*)")?$/;
/** `count of a.b sample/samples`. */
const COUNT = /^count of ([\w.]+(?: or [\w.]+)*) ([^/ ]+)\/([^/ ]+)$/;

/**
 * Reads a sentence: `{name}[: {constituents}][, pH {ph}]`.
 *
 * @param note is called with each mistake and its cure
 */
export function readSentence(
  text: string,
  scope: SentenceScope,
  shape: Shape,
  note: (reason: string) => void,
): Sentence {
  const parts = text.split(PART).flatMap((part, i): readonly SentencePart[] => {
    const spans = part.split(VALUE).flatMap((span, j): readonly (string | SentenceValue)[] => {
      if (j % 2 === 0) return span === "" ? [] : [span];
      const place = readPlace(span, scope, shape, note);
      return place === undefined ? [] : [place];
    });
    return spans.length === 0 ? [] : [{ isOptional: i % 2 === 1, spans }];
  });
  const rest = parts.flatMap(({ spans }) => spans.filter((span) => typeof span === "string"));
  if (rest.some((span) => /[[\]{}]/.test(span))) note(`"${text}" has a bracket without its partner`);
  else if (!parts.some(({ spans }) => spans.some((span) => typeof span !== "string"))) {
    note(`"${text}" must name a value in braces: "pH {ph}"`);
  }
  return { parts };
}

function readPlace(
  text: string,
  scope: SentenceScope,
  shape: Shape,
  note: (reason: string) => void,
): SentenceValue | undefined {
  const [, counted, one, many] = COUNT.exec(text.trim()) ?? [];
  const [, names = counted, except, separator] = PLACE.exec(text.trim()) ?? [];
  if (names === undefined) {
    note(
      `"{${text}}" must be like {a.b}, {a.b or c}, {a.b != text}, {a.b "separator"}, or {count of a.b sample/samples}`,
    );
    return undefined;
  }
  const paths = names.split(" or ").map((name) => resolvePath(name, scope, shape, note) ?? name);
  return { paths, except, separator, counted: one === undefined || many === undefined ? undefined : { one, many } };
}

/**
 * Returns the path of a name: below the base, else from the root of a record.
 *
 * @param note is called if the schema has no such path
 */
export function resolvePath(
  name: string,
  scope: SentenceScope,
  shape: Shape,
  note: (reason: string) => void,
): string | undefined {
  const { base, roots } = scope;
  const candidates = [...(base === undefined ? [] : [`${base}.${name}`]), name, ...roots.map((root) => root + name)];
  const path = candidates.find((each) => each.startsWith("metadata.") && hasPath(shape, each));
  if (path === undefined) note(`the schema has no "${name}"${hintOf(name, scope, shape)}`);
  return path;
}

/** Returns the cure for a name that does not exist: the nearest name below the base and the roots. */
function hintOf(name: string, { base, roots }: SentenceScope, shape: Shape): string {
  const starts = [...(base === undefined ? [] : [`${base}.`]), ...roots];
  const names = starts.flatMap((start) =>
    [...shape.leaves.keys()].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length)),
  );
  const places = names.flatMap((path) => path.split(".").map((_, i, steps) => steps.slice(0, i + 1).join(".")));
  const [near] = nearestNames(name, [...new Set(places)], 1);
  if (near !== undefined) return `; did you mean "${near}"?`;
  const ending = places.find((place) => place.endsWith(`.${name}`));
  return ending === undefined
    ? `; paths start at ${starts.map((start) => `"${start}"`).join(" or ")}`
    : `; did you mean "${ending}"?`;
}
