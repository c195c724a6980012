import { LineCounter, parseDocument } from "yaml";
import { escapePointer } from "../json.js";

/** Mistake in a declaration. */
export interface CatalogProblem {
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;
  readonly reason: string;
  /** Declarations that have the mistake because they extend this one: `file:line` of each. */
  readonly inheritedBy?: readonly string[];
}

/** Place in a declaration: property names and indices from its root. */
export type Place = readonly (string | number)[];

/** File and line in which a part of a declaration is written. */
export interface Location {
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;
  /** `file:line` of the `extends` by which the declaration has this part, if it is not its own. */
  readonly inheritedBy?: string;
}

/** Parsed file of the catalog, with the location of each part. */
export interface Declaration {
  readonly file: string;
  readonly value: unknown;
  /** Returns the location of a place, or of the nearest enclosing place that exists. */
  locate(place: Place): Location;
}

/** Error with all mistakes of a catalog: one line `file:line: reason` for each. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(readonly problems: readonly CatalogProblem[]) {
    const lines = problems.map(formatProblem);
    super(`The catalog has ${problems.length} mistake${problems.length === 1 ? "" : "s"}:\n${lines.join("\n")}`);
  }
}

/** Writes `file:line: reason`, and the heirs of an inherited mistake. */
export function formatProblem({ file, line, reason, inheritedBy = [] }: CatalogProblem): string {
  const inheritors = inheritedBy.join(", ");
  const cure = inheritors === "" ? "" : ` (inherited by ${inheritors}; override it there, or leave it out with null)`;
  return `${file}:${line}: ${reason}${cure}`;
}

/** Collection of mistakes: a start reports all of them and not only the first. */
export class Problems {
  readonly list: CatalogProblem[] = [];
  /** Warnings on parts that are valid but perhaps unintended: `file:line: text`. */
  readonly notes: string[] = [];

  /** Adds a mistake once, even if several models share its file. */
  add(declaration: Declaration, place: Place, reason: string): void {
    const { file, line, inheritedBy } = declaration.locate(place);
    const at = this.list.findIndex((each) => each.file === file && each.line === line && each.reason === reason);
    const inheritors = new Set([
      ...(this.list[at]?.inheritedBy ?? []),
      ...(inheritedBy === undefined ? [] : [inheritedBy]),
    ]);
    const problem = { file, line, reason, ...(inheritors.size === 0 ? {} : { inheritedBy: [...inheritors] }) };
    if (at === -1) this.list.push(problem);
    else this.list[at] = problem;
  }
}

/** Parses a YAML file of the catalog. Invalid YAML and repeated keys become problems. */
export function parseYamlDeclaration(file: string, text: string, problems: Problems): Declaration | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (const error of document.errors) {
    problems.list.push({ file, line: lines.linePos(error.pos[0]).line, reason: `not valid YAML: ${error.message}` });
  }
  if (document.errors.length > 0) return undefined;
  const lineAt = (place: Place): number | undefined => {
    const range = rangeAt(document.contents, place);
    return range === undefined ? undefined : lines.linePos(range).line;
  };
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  return { file, value, locate: (place) => ({ file, line: nearestLine(place, lineAt) }) };
}

/** Parses a JSON file of the catalog. Invalid JSON and repeated keys become problems. */
export function parseJsonDeclaration(file: string, text: string, problems: Problems): Declaration | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const offset = Number(/position (\d+)/.exec(String(cause))?.[1] ?? text.length);
    const line = text.slice(0, offset).split("\n").length;
    const reason = cause instanceof Error ? cause.message : "unreadable";
    problems.list.push({ file, line, reason: `not valid JSON: ${reason}` });
    return undefined;
  }
  const positions = findJsonPositions(text);
  for (const { pointer, line } of positions.repeated) {
    problems.list.push({ file, line, reason: `"${pointer.slice(pointer.lastIndexOf("/") + 1)}" is there twice` });
  }
  const lineAt = (place: Place): number | undefined =>
    positions.lines.get(place.map((step) => `/${escapePointer(String(step))}`).join(""));
  return { file, value, locate: (place) => ({ file, line: nearestLine(place, lineAt) }) };
}

function nearestLine(place: Place, lineAt: (place: Place) => number | undefined): number {
  for (let length = place.length; length >= 0; length--) {
    const line = lineAt(place.slice(0, length));
    if (line !== undefined) return line;
  }
  return 1;
}

/** Returns the offset of the key of a place (of the value, for a list item) in a tree of the `yaml` library. */
function rangeAt(root: unknown, place: Place): number | undefined {
  let node = root as YamlNode | null;
  let start = node?.range?.[0];
  for (const step of place) {
    const child = node?.items?.find((item, i) => (item.key === undefined ? i === step : item.key.value === step));
    if (child === undefined) return undefined;
    node = (child.key === undefined ? child : child.value) as YamlNode | null;
    start = (child.key ?? (child as YamlNode)).range?.[0];
  }
  return start;
}

/** Part of a node that is read: a map has items with a key and a value, a list has items that are nodes. */
interface YamlNode {
  readonly range?: readonly number[] | null;
  readonly items?: readonly (YamlNode & { readonly key?: YamlNode & { readonly value?: unknown } })[];
  readonly value?: unknown;
}

/** Lines (from 1) of the members and items of a JSON text by JSON pointer, and the repeated keys of objects. */
interface JsonPositions {
  readonly lines: ReadonlyMap<string, number>;
  readonly repeated: readonly { readonly pointer: string; readonly line: number }[];
}

/**
 * Finds the lines of all parts of a text that `JSON.parse` accepts. `JSON.parse` reads the values faster, but it
 * reports neither lines nor repeated keys.
 */
export function findJsonPositions(text: string): JsonPositions {
  const lines = new Map<string, number>([["", 1]]);
  const repeated: { pointer: string; line: number }[] = [];
  let at = 0;
  let line = 1;

  const skipBlanks = (): void => {
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 10) line++;
      else if (c !== 32 && c !== 9 && c !== 13) return;
    }
  };
  const readString = (): string => {
    const begin = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    return JSON.parse(text.slice(begin, at)) as string;
  };
  const readMembers = (pointer: string): void => {
    const seen = new Set<string>();
    for (at++, skipBlanks(); text[at] !== "}"; skipBlanks()) {
      if (text[at] === ",") at++;
      skipBlanks();
      const keyLine = line;
      const below = `${pointer}/${escapePointer(readString())}`;
      if (seen.has(below)) repeated.push({ pointer: below, line: keyLine });
      seen.add(below);
      lines.set(below, keyLine);
      skipBlanks();
      at++; // The colon.
      readValue(below);
    }
    at++;
  };
  const readItems = (pointer: string): void => {
    let index = 0;
    for (at++, skipBlanks(); text[at] !== "]"; skipBlanks()) {
      if (text[at] === ",") at++;
      skipBlanks();
      const below = `${pointer}/${index++}`;
      lines.set(below, line);
      readValue(below);
    }
    at++;
  };
  const readValue = (pointer: string): void => {
    skipBlanks();
    if (text[at] === "{") readMembers(pointer);
    else if (text[at] === "[") readItems(pointer);
    else if (text[at] === '"') readString();
    else while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++;
  };

  readValue("");
  return { lines, repeated };
}
