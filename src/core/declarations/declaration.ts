import { LineCounter, parseDocument } from "yaml";
import { escapePointer, findJsonPositions } from "./json-positions.js";

/** One mistake in a declaration. */
export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly reason: string;
  /** The declarations that have the mistake because they extend this one: `file:line` of each. */
  readonly inheritedBy?: readonly string[];
}

/** A place in a declaration: property names and indices from its root. */
export type Place = readonly (string | number)[];

/** Where a part of a declaration is written. */
export interface Location {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** `file:line` of the `extends` by which the declaration has this part, if it is not its own. */
  readonly inheritedBy?: string;
}

/** A parsed file of the catalog, with the location of everything in it. */
export interface Declaration {
  readonly file: string;
  readonly value: unknown;
  /** Location of a place, or of the nearest one around it that exists. */
  locate(place: Place): Location;
}

/** Everything that is wrong with a catalog, at once: one line `file:line: reason` for each mistake. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(readonly problems: readonly Problem[]) {
    const lines = problems.map(formatProblem);
    super(`The catalog has ${problems.length} mistake${problems.length === 1 ? "" : "s"}:\n${lines.join("\n")}`);
  }
}

/** `file:line: reason`, and for an inherited mistake who inherits it. */
export function formatProblem({ file, line, reason, inheritedBy = [] }: Problem): string {
  const inheritors = inheritedBy.join(", ");
  const cure = inheritors === "" ? "" : ` (inherited by ${inheritors}; override it there, or leave it out with null)`;
  return `${file}:${line}: ${reason}${cure}`;
}

/** Collects mistakes, so that a start names all of them and not only the first. */
export class Problems {
  readonly list: Problem[] = [];
  /** What is no mistake, and may not be meant so: `file:line: text`. */
  readonly notes: string[] = [];

  /** Notes a mistake once, however many models share the file that has it. */
  add(declaration: Declaration, place: Place, reason: string): void {
    const { file, line, inheritedBy } = declaration.locate(place);
    const at = this.list.findIndex((known) => known.file === file && known.line === line && known.reason === reason);
    const inheritors = new Set([
      ...(this.list[at]?.inheritedBy ?? []),
      ...(inheritedBy === undefined ? [] : [inheritedBy]),
    ]);
    const problem = { file, line, reason, ...(inheritors.size === 0 ? {} : { inheritedBy: [...inheritors] }) };
    if (at === -1) this.list.push(problem);
    else this.list[at] = problem;
  }
}

/** Parses a YAML file of the catalog. What is not YAML, or says a key twice, becomes problems. */
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

/** Parses a JSON file of the catalog. What is not JSON, or says a key twice, becomes problems. */
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

/** Offset of the key of a place (of the value, for an item of a list) in a tree of the `yaml` library. */
function rangeAt(root: unknown, place: Place): number | undefined {
  let node = root as YamlNode | null;
  let start = node?.range?.[0];
  for (const step of place) {
    const found = node?.items?.find((item, i) => (item.key === undefined ? i === step : item.key.value === step));
    if (found === undefined) return undefined;
    node = (found.key === undefined ? found : found.value) as YamlNode | null;
    start = (found.key ?? (found as YamlNode)).range?.[0];
  }
  return start;
}

/** What is read of a node: a map has items with a key and a value, a list has items that are nodes. */
interface YamlNode {
  readonly range?: readonly number[] | null;
  readonly items?: readonly (YamlNode & { readonly key?: YamlNode & { readonly value?: unknown } })[];
  readonly value?: unknown;
}
