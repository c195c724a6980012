import { NO_UNITS } from "../../core/catalog/compile-units.js";
import type { Units } from "../../core/catalog/units.js";
import { fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import { readFacetKey } from "../../services/search/facet-keys.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { NO_SORTS, type RecordSorts } from "../../services/search/record-sorts.js";
import type {
  Allowed,
  Parameter,
  Parameters,
  PathNames,
  QueryDeclaration,
  ReadParameter,
  Values,
} from "./parameter.js";
import type { Query } from "./query-string.js";

/** What a query string says. */
export interface ReadQuery<P extends Parameters = Parameters> {
  readonly values: Values<P>;
  /** Selected keys by facet; facets without any are left out. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** What was sent and is known, under the names for links. */
  readonly sent: ReadonlyMap<string, readonly string[]>;
  /** One for each unknown parameter. */
  readonly warnings: readonly Warning[];
}

/** What to send in place of a parameter that is not known here: a sentence, and names. */
export interface Meant {
  readonly hint: string;
  readonly nearest: readonly string[];
}

/** What the path of a request adds to the parameters that are declared. */
export interface PathParameters {
  /** The name of each is a parameter that filters by it. */
  readonly facets?: readonly SearchedFacet[];
  readonly sorts?: RecordSorts;
  /** In which the ends of ranges may be written. */
  readonly units?: Units;
  /** What is meant by names that are parameters of no query here, but part of other paths. */
  readonly meant?: (name: string) => Meant | undefined;
}

/**
 * Reads a query string by its declaration.
 *
 * @throws PARAMETER_INVALID with all problems, PAGE_SIZE_TOO_LARGE
 */
export function readParameters<P extends Parameters>(
  { parameters, read }: QueryDeclaration<P>,
  query: Query,
  { facets = [], sorts = NO_SORTS, units = NO_UNITS, meant }: PathParameters = {},
): ReadQuery<P> {
  const reader = new Reader(query, { facets, sorts });
  const values: Record<string, unknown> = {};
  const filters: Record<string, readonly string[]> = {};
  for (const one of read) values[one.name] = reader.read(one) ?? one.declared.absent;
  for (const facet of facets) {
    const keys = query.has(facet.name) ? reader.readKeys(facet, units) : [];
    if (keys.length > 0) filters[facet.name] = keys;
  }
  reader.checkNumber(filters);
  reader.checkConflicts(read);
  if (reader.issues.length > 0) throw fail("PARAMETER_INVALID", { issues: reader.issues });
  for (const { name, names, declared } of read) {
    const { sizeMax } = declared;
    if (sizeMax !== undefined) checkPageSize(query, names, Number(values[name]), sizeMax);
  }
  const unknown = unknownNames(query, read, facets);
  // Nearly every request has none: what is known is listed where one was misspelt.
  const known = unknown.length === 0 ? [] : [...read.flatMap(({ names }) => names), ...facets.map(({ name }) => name)];
  const warnings = unknown.map((name) => warnUnknown(name, known, meantBy(name, parameters) ?? meant?.(letters(name))));
  return { values: values as Values<P>, filters, sent: reader.sent, warnings };
}

function unknownNames(
  query: Query,
  read: readonly ReadParameter[],
  facets: readonly SearchedFacet[],
): readonly string[] {
  const isKnown = (sent: string): boolean =>
    read.some(({ names, declared: { prefix } }) =>
      prefix === undefined ? names.includes(sent) : sent.startsWith(prefix),
    ) || facets.some(({ name }) => name === sent);
  return [...query.keys()].filter((name) => !isKnown(name)).slice(0, WARNINGS_MAX);
}

/** Reads parameters, each by the type of its schema, and gathers the problems. */
class Reader {
  readonly sent = new Map<string, readonly string[]>();
  readonly issues: Issue[] = [];
  readonly #query: Query;
  readonly #path: PathNames;

  constructor(query: Query, path: PathNames) {
    this.#query = query;
    this.#path = path;
  }

  /** The value; undefined where there is none, or none that is allowed. */
  read({ name, names, declared, allowed }: ReadParameter): unknown {
    const { refusal, prefix } = declared;
    if (prefix !== undefined) return this.#readPrefixed(prefix);
    if (allowed.type === "array") return this.#readList(name, allowed, declared);
    const text = this.#readOne(names);
    if (text === undefined) return undefined;
    const value = convert(text, allowed);
    if (value !== undefined) return this.#isRight(name, text, declared) ? value : undefined;
    const used = spelled(this.#query, names);
    const message = refusal?.(clip(text)) ?? mustBe(used, describeAllowed(allowed), text);
    this.issues.push({ ...makeIssue(this.#query, used, message), ...(allowed.words && { allowed: allowed.words }) });
    return undefined;
  }

  /** Returns the selected keys of a facet, as links spell them. */
  readKeys(facet: SearchedFacet, units: Units): readonly string[] {
    const { name } = facet;
    const keys: string[] = [];
    for (const text of this.#readAll(name)) {
      if (text === "") continue;
      const read = readFacetKey(facet, text, units);
      if ("key" in read) keys.push(read.key);
      else this.issues.push({ ...makeIssue(this.#query, name, mustBe(name, read.takes, text)), value: clip(text) });
    }
    if (keys.length > 0) this.sent.set(name, keys);
    return keys;
  }

  checkNumber(filters: Readonly<Record<string, readonly string[]>>): void {
    const numbers = Object.entries(filters).map(([name, { length }]) => ({ name, length }));
    const sum = numbers.reduce((total, { length }) => total + length, 0);
    if (sum <= LIMITS.filterValuesMax) return;
    const { name } = numbers.toSorted((a, b) => b.length - a.length)[0]!;
    const message = `A search filters by at most ${LIMITS.filterValuesMax} values, not ${sum}; send several requests.`;
    this.issues.push(makeIssue(this.#query, name, message));
  }

  checkConflicts(read: readonly ReadParameter[]): void {
    // An empty text, and `false` if that is the default, have no effect; an empty id in a list is one of its ids.
    const isGiven = (name: string): boolean => {
      const values = this.sent.get(name);
      if (values === undefined) return false;
      const known = read.find((one) => one.name === name);
      if (known?.declared.absent === false) return values[0] === "true" || values[0] === "1";
      return values[0] !== "" || known?.allowed.type === "array";
    };
    for (const { name, declared } of read) {
      if (declared.conflicts === undefined || !isGiven(name)) continue;
      for (const [other, message] of Object.entries(declared.conflicts)) {
        if (!isGiven(other)) continue;
        this.issues.push({ ...makeIssue(this.#query, name, message), code: "PARAMETERS_CONFLICT" });
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
    if (values.length > 0) this.sent.set(name, values);
    return values;
  }

  /** Notes a value that is too long. Queries have a limit of their own, in code points. */
  #isTooLong(name: string, value: string): boolean {
    if (value.length <= LIMITS.parameterLengthMax || name === QUERY_NAME) return false;
    const message = `The parameter "${name}" can have at most ${LIMITS.parameterLengthMax} characters.`;
    this.issues.push(makeIssue(this.#query, name, message));
    return true;
  }

  #isRight(name: string, text: string, { check }: Parameter): boolean {
    const wrong = check?.(text, this.#path, this.#query);
    if (wrong === undefined) return true;
    const { message, allowed } = wrong;
    this.issues.push({ ...makeIssue(this.#query, name, message), value: clip(text), ...(allowed && { allowed }) });
    return false;
  }

  #readList(name: string, { maxItems = Number.POSITIVE_INFINITY }: Allowed, declared: Parameter) {
    const { refusal } = declared;
    const values = this.#readAll(name);
    if (values.length <= maxItems) {
      const areRight = values.map((value) => this.#isRight(name, value, declared)).every(Boolean);
      return values.length === 0 || !areRight ? undefined : values;
    }
    const message = refusal?.("") ?? `The parameter "${name}" can be sent at most ${maxItems} times.`;
    this.issues.push(makeIssue(this.#query, name, message));
    return undefined;
  }

  /** Reads a parameter that may stand there once, under one of its names. */
  #readOne(names: readonly string[]): string | undefined {
    const query = this.#query;
    if (!names.some((name) => query.has(name))) return undefined;
    const found = names.filter((name) => query.has(name));
    const first = found[0]!;
    for (const name of found.filter((each) => query.get(each)!.length > 1)) {
      const message = `The parameter "${name}" was sent more than once; send it once.`;
      this.issues.push({ ...makeIssue(query, name, message), code: "PARAMETER_REPEATED" });
    }
    const value = query.get(first)![0]!;
    const other = found.find((name) => query.get(name)![0] !== value);
    if (other !== undefined) {
      const message = `"${first}" and "${other}" are the same parameter, but have different values; send one of them.`;
      this.issues.push({ ...makeIssue(query, first, message), code: "PARAMETERS_CONFLICT" });
    }
    if (this.#isTooLong(first, value)) return undefined;
    this.sent.set(names[0]!, [value]);
    return value;
  }
}

/** The value that a text stands for; undefined where the schema does not allow it. */
function convert(text: string, { type, words, pattern, minimum = 0, maximum = Infinity }: Allowed): unknown {
  if (words?.includes(text) === false) return undefined;
  if (type === "boolean") return text === "true" || text === "1";
  if (type !== "integer" && type !== "number") return pattern?.test(text) === false ? undefined : text;
  if (!NUMBERS[type].test(text)) return undefined;
  // As great as it may be: a page so far behind is refused as such.
  const number = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  return number >= minimum && number <= maximum ? number : undefined;
}

/** What a schema allows, as messages say it. */
function describeAllowed({ type, words, pattern, minimum = 0, maximum }: Allowed): string {
  if (words !== undefined) return words.join(" or ");
  if (pattern !== undefined) return `a text like ${pattern.source}`;
  const range = maximum === undefined ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  return `a ${type === "integer" ? "whole number" : "number"} ${range}`;
}

function checkPageSize(query: Query, names: readonly (string | undefined)[], size: number, max: number): void {
  if (size <= max) return;
  const issue = makeIssue(query, spelled(query, names), `A page has at most ${max} hits.`);
  throw fail("PAGE_SIZE_TOO_LARGE", { max, issues: [issue] });
}

const mustBe = (name: string, takes: string, sent: string): string =>
  `The parameter "${name}" must be ${takes}, not "${clip(sent)}".`;

/** The first of the names of a parameter that the client used; its own name where none was. */
export function spelled(query: Query, names: readonly (string | undefined)[]): string {
  return names.find((name) => name !== undefined && query.has(name)) ?? names[0]!;
}

/** A problem with the value of a parameter. */
export function makeIssue(query: Query, field: string, message: string): Issue {
  const value = query.get(field)?.[0];
  const pointer = `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const sent = value === undefined ? {} : { value: clip(value) };
  return { field, pointer, code: "PARAMETER_INVALID", messages: [message], ...sent };
}

/** Which parameter another service has under this name. */
function meantBy(name: string, parameters: Parameters): Meant | undefined {
  const found = Object.entries(parameters).find(([, { elsewhere }]) => elsewhere?.includes(letters(name)));
  return found && { hint: found[1].hint ?? "", nearest: [found[0]] };
}

/** `per_page`, `perPage` and `per-page` are one name. */
const letters = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

function warnUnknown(name: string, known: readonly string[], meant: Meant | undefined): Warning {
  const nearest = meant?.nearest ?? nearestNames(name, known, LIMITS.nearestMax);
  const hint = meant !== undefined ? ` ${meant.hint}` : nearest.length > 0 ? ` Did you mean "${nearest[0]}"?` : "";
  return {
    code: "UNKNOWN_PARAMETER",
    message: `The parameter "${clip(name)}" is unknown and was ignored.${hint}`,
    parameter: clip(name),
    ...(nearest.length === 0 ? {} : { nearest }),
  };
}

const NUMBERS = { integer: /^\d+$/, number: /^\d{1,9}(\.\d{1,20})?(e-\d{1,3})?$/ };

/** Warnings about parameters of one request, at most: a URL holds thousands. */
const WARNINGS_MAX = 20;
const ECHO_LENGTH_MAX = 200;
const QUERY_NAME = "q";

/** What a client sent, short enough to be said back. */
export function clip(text: string): string {
  return text.length <= ECHO_LENGTH_MAX ? text : `${text.slice(0, ECHO_LENGTH_MAX)}…`;
}
