import { countsNumbers } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { escapePointer } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { findUnit, NO_UNITS, type Units } from "../../core/units/units.js";
import { readFacetKey, type SearchedFacet } from "../../services/search/facets.js";
import { NO_SORTS, type RecordSorts } from "../../services/search/record-sorts.js";
import type {
  Allowed,
  CompiledParameter,
  Parameter,
  ParameterMap,
  ParameterValues,
  PathNames,
  QueryDeclaration,
} from "./parameter.js";
import type { Query } from "./url-encoding.js";

/** Values of the parameters of a query string. */
export interface ParsedParameters<P extends ParameterMap = ParameterMap> {
  readonly values: ParameterValues<P>;
  /** Selected keys by facet; facets without selected keys are absent. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Texts of the known parameters of the request, by the names that links use. */
  readonly sentTexts: ReadonlyMap<string, readonly string[]>;
  /** A warning for each unknown parameter. */
  readonly warnings: readonly Warning[];
}

/** Hint for an unknown parameter: a sentence, and the names to use instead. */
export interface NameHint {
  readonly hint: string;
  readonly nearest: readonly string[];
}

/** Parts of the path of a request that add to the declared parameters. */
export interface PathParameters {
  /** Facets. The name of each is a parameter that filters by it. */
  readonly facets?: readonly SearchedFacet[];
  readonly sorts?: RecordSorts;
  /** Units that the ends of ranges may have. */
  readonly units?: Units;
  /** Names of parameters that the caller reads itself, which an unknown name may mean. */
  readonly otherNames?: readonly string[];
  /** Returns a hint for a name that is not a parameter but part of a path. */
  readonly hintFor?: (name: string) => NameHint | undefined;
}

/**
 * Reads a query string by its declaration.
 *
 * @throws PARAMETER_INVALID with all problems, PAGE_SIZE_TOO_LARGE
 */
export function readParameters<P extends ParameterMap>(
  { parameters, compiled }: QueryDeclaration<P>,
  query: Query,
  { facets = [], sorts = NO_SORTS, units = NO_UNITS, otherNames = [], hintFor }: PathParameters = {},
): ParsedParameters<P> {
  const reader = new Reader(query, { facets, sorts });
  const values: Record<string, unknown> = {};
  const filters: Record<string, readonly string[]> = {};
  for (const each of compiled) values[each.name] = reader.read(each) ?? each.declared.absent;
  for (const facet of facets) {
    const keys = query.has(facet.name) ? reader.readKeys(facet, units) : [];
    if (keys.length > 0) filters[facet.name] = keys;
  }
  reader.checkFilterCount(filters);
  reader.checkConflicts(compiled);
  if (reader.issues.length > 0) throw fail("PARAMETER_INVALID", { issues: reader.issues });
  for (const { name, names, declared } of compiled) {
    const { sizeMax } = declared;
    if (sizeMax !== undefined) checkPageSize(query, names, Number(values[name]), sizeMax);
  }
  const known = [
    ...compiled.flatMap(({ names, declared: { prefix } }) => (prefix === undefined ? names : [prefix])),
    ...facets.map(({ name }) => name),
  ];
  const columns = facets.filter(({ kind }) => countsNumbers(kind));
  const prefixed = compiled.flatMap(({ declared: { prefix } }) =>
    prefix === undefined ? [] : columns.map(({ name }) => prefix + name),
  );
  const hintOf = (name: string) =>
    hintForPrefix(query, name, { parameters, columns, units }) ??
    hintForForeignName(name, parameters) ??
    hintFor?.(lettersIn(name));
  const warnings = warnUnknownParameters(query, known, [...prefixed, ...otherNames], hintOf);
  return { values: values as ParameterValues<P>, filters, sentTexts: reader.sentTexts, warnings };
}

/**
 * Returns a warning for each unknown parameter, with the name that is probably meant.
 *
 * @param known names of the parameters; a name that ends with a full stop is a prefix
 * @param candidates further names to suggest
 * @param hintFor returns a hint in place of the nearest name
 */
export function warnUnknownParameters(
  query: Query,
  known: readonly string[],
  candidates: readonly string[] = [],
  hintFor: (name: string) => NameHint | undefined = () => undefined,
): readonly Warning[] {
  const isKnown = (name: string): boolean =>
    known.some((each) => each === name || (each.endsWith(".") && name.startsWith(each)));
  const unknown = [...query.keys()].filter((name) => !isKnown(name)).slice(0, WARNINGS_MAX);
  const names = [...known.filter((each) => !each.endsWith(".")), ...candidates];
  return unknown.map((name) => warnUnknown(name, names, hintFor(name)));
}

/** Reads parameters, each by the type of its schema, and collects the problems. */
class Reader {
  readonly sentTexts = new Map<string, readonly string[]>();
  readonly issues: Issue[] = [];
  readonly #query: Query;
  readonly #path: PathNames;

  constructor(query: Query, path: PathNames) {
    this.#query = query;
    this.#path = path;
  }

  /** Returns the value; undefined if there is none, or if it is not allowed. */
  read({ name, names, declared, allowed }: CompiledParameter): unknown {
    const { refusal, prefix } = declared;
    if (prefix !== undefined) return this.#readPrefixed(prefix);
    if (allowed.type === "array") return this.#readList(name, allowed, declared);
    const text = this.#readOne(names);
    if (text === undefined) return undefined;
    const value = convert(text, allowed);
    if (value !== undefined) return this.#isValid(name, text, declared) ? value : undefined;
    const nameUsed = usedName(this.#query, names);
    const message = refusal?.(clip(text)) ?? mustBe(nameUsed, describeAllowed(allowed), text);
    this.issues.push({
      ...makeParameterIssue(this.#query, nameUsed, message),
      ...(allowed.words && { allowed: allowed.words }),
    });
    return undefined;
  }

  /** Returns the selected keys of a facet, in the form that links use. */
  readKeys(facet: SearchedFacet, units: Units): readonly string[] {
    const { name } = facet;
    const keys: string[] = [];
    for (const text of this.#readAll(name)) {
      if (text === "") continue;
      const result = readFacetKey(facet, text, units);
      if ("key" in result) keys.push(result.key);
      else
        this.issues.push({
          ...makeParameterIssue(this.#query, name, mustBe(name, result.takes, text)),
          value: clip(text),
        });
    }
    if (keys.length > 0) this.sentTexts.set(name, keys);
    return keys;
  }

  checkFilterCount(filters: Readonly<Record<string, readonly string[]>>): void {
    const counts = Object.entries(filters).map(([name, { length: count }]) => ({ name, count }));
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const max = LIMITS.filterValuesMax;
    if (total <= max) return;
    const { name } = counts.toSorted((a, b) => b.count - a.count)[0]!;
    const message = `A search filters by at most ${max} values, not ${total}; send several requests.`;
    this.issues.push(makeParameterIssue(this.#query, name, message));
  }

  checkConflicts(compiled: readonly CompiledParameter[]): void {
    // An empty text has no effect, nor has `false` if it is the default. An empty text in a list is one of its values.
    const isGiven = (name: string): boolean => {
      const values = this.sentTexts.get(name);
      if (values === undefined) return false;
      const parameter = compiled.find((each) => each.name === name);
      if (parameter?.declared.absent === false) return values[0] === "true" || values[0] === "1";
      return values[0] !== "" || parameter?.allowed.type === "array";
    };
    for (const { name, declared } of compiled) {
      if (declared.conflicts === undefined || !isGiven(name)) continue;
      for (const [other, message] of Object.entries(declared.conflicts)) {
        if (!isGiven(other)) continue;
        this.issues.push({ ...makeParameterIssue(this.#query, name, message), code: "PARAMETERS_CONFLICT" });
      }
    }
  }

  #readPrefixed(prefix: string): Readonly<Record<string, string>> | undefined {
    const names = [...this.#query.keys()].filter((name) => name.startsWith(prefix));
    const pairs = names.flatMap((name) => {
      const value = this.#readOne([name]);
      return value === undefined ? [] : [[name.slice(prefix.length), value] as const];
    });
    return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
  }

  #readAll(name: string): readonly string[] {
    const values = this.#query.get(name) ?? [];
    if (values.some((value) => this.#isTooLong(name, value))) return [];
    if (values.length > 0) this.sentTexts.set(name, values);
    return values;
  }

  /** Returns whether a value is too long, and adds the problem. Queries have a separate limit, in code points. */
  #isTooLong(name: string, value: string): boolean {
    if (value.length <= LIMITS.parameterLengthMax || name === QUERY_NAME) return false;
    const message = `The parameter "${name}" can have at most ${LIMITS.parameterLengthMax} characters.`;
    this.issues.push(makeParameterIssue(this.#query, name, message));
    return true;
  }

  #isValid(name: string, text: string, { check }: Parameter): boolean {
    const refusal = check?.(text, this.#path, this.#query);
    if (refusal === undefined) return true;
    const { message, allowed } = refusal;
    this.issues.push({
      ...makeParameterIssue(this.#query, name, message),
      value: clip(text),
      ...(allowed && { allowed }),
    });
    return false;
  }

  #readList(name: string, { maxItems = Number.POSITIVE_INFINITY }: Allowed, declared: Parameter) {
    const { refusal } = declared;
    const values = this.#readAll(name);
    if (values.length <= maxItems) {
      const areValid = values.map((value) => this.#isValid(name, value, declared)).every(Boolean);
      return values.length === 0 || !areValid ? undefined : values;
    }
    const message = refusal?.("") ?? `The parameter "${name}" can be sent at most ${maxItems} times.`;
    this.issues.push(makeParameterIssue(this.#query, name, message));
    return undefined;
  }

  /** Reads a parameter that may be sent once, under one of its names. */
  #readOne(names: readonly string[]): string | undefined {
    const query = this.#query;
    if (!names.some((name) => query.has(name))) return undefined;
    const sentNames = names.filter((name) => query.has(name));
    const first = sentNames[0]!;
    for (const name of sentNames.filter((each) => query.get(each)!.length > 1)) {
      const message = `The parameter "${name}" was sent more than once; send it once.`;
      this.issues.push({ ...makeParameterIssue(query, name, message), code: "PARAMETER_REPEATED" });
    }
    const value = query.get(first)![0]!;
    const other = sentNames.find((name) => query.get(name)![0] !== value);
    if (other !== undefined) {
      const message = `"${first}" and "${other}" are the same parameter, but have different values; send one of them.`;
      this.issues.push({ ...makeParameterIssue(query, first, message), code: "PARAMETERS_CONFLICT" });
    }
    if (this.#isTooLong(first, value)) return undefined;
    this.sentTexts.set(names[0]!, [value]);
    return value;
  }
}

/** Converts a text to its value; undefined if the schema does not allow it. */
function convert(text: string, { type, words, pattern, minimum = 0, maximum = Infinity }: Allowed): unknown {
  if (words?.includes(text) === false) return undefined;
  if (type === "boolean") return text === "true" || text === "1";
  if (type !== "integer" && type !== "number") return pattern?.test(text) === false ? undefined : text;
  if (!NUMBERS[type].test(text)) return undefined;
  // A number above the safe range is not refused here: the check of the page window refuses it.
  const number = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return number >= minimum && number <= maximum ? number : undefined;
}

/** Returns the description of the allowed values, for messages. */
function describeAllowed({ type, words, pattern, minimum = 0, maximum }: Allowed): string {
  if (words !== undefined) return words.join(" or ");
  if (pattern !== undefined) return `a text like ${pattern.source}`;
  const range = maximum === undefined ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  return `a ${type === "integer" ? "whole number" : "number"} ${range}`;
}

function checkPageSize(query: Query, names: readonly (string | undefined)[], size: number, max: number): void {
  if (size <= max) return;
  const issue = makeParameterIssue(query, usedName(query, names), `A page has at most ${max} hits.`);
  throw fail("PAGE_SIZE_TOO_LARGE", { max, issues: [issue] });
}

const mustBe = (name: string, takes: string, sent: string): string =>
  `The parameter "${name}" must be ${takes}, not "${clip(sent)}".`;

/** Returns the first of a parameter's names that the client used; by default the first name. */
export function usedName(query: Query, names: readonly (string | undefined)[]): string {
  return names.find((name) => name !== undefined && query.has(name)) ?? names[0]!;
}

/** Creates the problem of a parameter's value. */
export function makeParameterIssue(query: Query, field: string, message: string): Issue {
  const value = query.get(field)?.[0];
  const pointer = `/${escapePointer(field)}`;
  const issue = { field, pointer, code: "PARAMETER_INVALID", messages: [message] };
  return value === undefined ? issue : { ...issue, value: clip(value) };
}

/** Returns a hint for the prefix of a parameter without a column: `units=nM` means `unit.kd=nM`. */
function hintForPrefix(
  query: Query,
  name: string,
  { parameters, columns, units }: { parameters: ParameterMap; columns: readonly SearchedFacet[]; units: Units },
): NameHint | undefined {
  const letters = lettersIn(name);
  const [, declared] =
    Object.entries(parameters).find(([key, { prefix }]) => {
      return prefix !== undefined && [key, prefix.slice(0, -1)].includes(letters);
    }) ?? [];
  if (declared?.prefix === undefined) return undefined;
  const dimension = findUnit(units, query.get(name)?.[0] ?? "")?.dimension;
  const dimensionOf = (each: SearchedFacet) =>
    "unit" in each ? findUnit(units, each.unit ?? "")?.dimension : undefined;
  const column = columns.find((each) => dimension !== undefined && dimensionOf(each) === dimension) ?? columns[0];
  if (column === undefined) return undefined;
  const nearest = declared.prefix + column.name;
  return { hint: `Name the column, as in "${nearest}".`, nearest: [nearest] };
}

/** Returns a hint if other services use the name for one of the parameters. */
function hintForForeignName(name: string, parameters: ParameterMap): NameHint | undefined {
  const entry = Object.entries(parameters).find(([, { elsewhere }]) => elsewhere?.includes(lettersIn(name)));
  return entry && { hint: entry[1].hint ?? "", nearest: [entry[0]] };
}

/** Returns the letters of a name, in lower case: `per_page`, `perPage` and `per-page` are the same name. */
const lettersIn = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

function warnUnknown(name: string, names: readonly string[], nameHint: NameHint | undefined): Warning {
  const nearest = nameHint?.nearest ?? nearestNames(name, names, LIMITS.nearestMax);
  const hint =
    nameHint !== undefined ? ` ${nameHint.hint}` : nearest.length > 0 ? ` Did you mean "${nearest[0]}"?` : "";
  return {
    code: "UNKNOWN_PARAMETER",
    message: `The parameter "${clip(name)}" is unknown and was ignored.${hint}`,
    parameter: clip(name),
    nearest: nearest.length === 0 ? undefined : nearest,
  };
}

const NUMBERS = { integer: /^\d+$/, number: /^\d{1,9}(\.\d{1,20})?(e-\d{1,3})?$/ };

/** Maximum number of warnings about unknown parameters: a URL may have thousands of parameters. */
export const WARNINGS_MAX = 20;
const ECHO_LENGTH_MAX = 200;
const QUERY_NAME = "q";

/** Shortens a text of a client for messages. */
export function clip(text: string): string {
  return text.length <= ECHO_LENGTH_MAX ? text : `${text.slice(0, ECHO_LENGTH_MAX)}…`;
}
