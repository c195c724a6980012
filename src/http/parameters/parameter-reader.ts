import { fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";
import type { Query } from "./query-string.js";

/**
 * Reads the parameters of one request. Each method names the parameter it reads, which makes it a known one; problems
 * are gathered and thrown together by `finish`, which comes last.
 */
export interface ParameterReader {
  /** The one value of a parameter with its synonyms (`["page", "p"]`, the name for links first). */
  one(...names: readonly string[]): string | undefined;
  /** All values of a repeatable parameter. */
  all(name: string): readonly string[];
  /** One of a few words. */
  choice(name: string, allowed: readonly string[]): string | undefined;
  /** true, 1, false or 0. */
  flag(name: string): boolean | undefined;
  /** A whole number from 1 to `max`. */
  count(names: readonly string[], max?: number): number | undefined;
  /** Notes a problem with a parameter that was read, under the name that the client used. */
  refuse(
    names: readonly string[],
    code: "PARAMETER_INVALID" | "PARAMETERS_CONFLICT",
    message: string,
    extra?: Pick<Issue, "value" | "allowed">,
  ): void;
  /** What was read, under the names for links. */
  readonly accepted: ReadonlyMap<string, readonly string[]>;
  /**
   * @param meant what other services call these parameters, in lower case without signs, and what to send instead
   * @returns a warning for each parameter that nobody read
   * @throws PARAMETER_INVALID with all problems
   */
  finish(meant?: Meant): readonly Warning[];
}

/** What to send in place of a parameter that is not known here: a sentence, and names. */
export type Meant = ReadonlyMap<string, { readonly hint: string; readonly nearest: readonly string[] }>;

/** A reader of one query string. */
export function readParameters(query: Query): ParameterReader {
  const known = new Set<string>();
  const accepted = new Map<string, readonly string[]>();
  const issues: Issue[] = [];
  const one = makeSingleReader(query, { known, accepted, issues });

  const choice: ParameterReader["choice"] = (name, allowed) => {
    const value = one([name]);
    if (value === undefined || allowed.includes(value)) return value;
    const message = `The parameter "${name}" must be ${allowed.join(" or ")}, not "${clip(value)}".`;
    issues.push({ ...makeIssue(query, name, message), allowed });
    return undefined;
  };

  return {
    one: (...names) => one(names),
    choice,
    accepted,
    refuse(names, code, message, extra) {
      issues.push({ ...makeIssue(query, spelled(query, names), message), code, ...extra });
    },
    all(name) {
      known.add(name);
      const values = query.get(name) ?? [];
      if (values.length > 0) accepted.set(name, values);
      return values;
    },
    flag(name) {
      const value = choice(name, ["true", "1", "false", "0"]);
      return value === undefined ? undefined : value === "true" || value === "1";
    },
    count(names, max = Number.MAX_SAFE_INTEGER) {
      const value = one(names);
      if (value === undefined) return undefined;
      const number = /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : 0;
      if (number >= 1 && number <= max) return number;
      const range = max === Number.MAX_SAFE_INTEGER ? "from 1" : `from 1 to ${max}`;
      const name = spelled(query, names);
      const message = `The parameter "${name}" must be a whole number ${range}, not "${clip(value)}".`;
      issues.push(makeIssue(query, name, message));
      return undefined;
    },
    finish(meant = new Map()) {
      if (issues.length > 0) throw fail("PARAMETER_INVALID", { issues });
      const unknown = [...query.keys()].filter((name) => !known.has(name)).slice(0, WARNINGS_MAX);
      return unknown.map((name) => warnUnknown(name, known, meant));
    },
  };
}

interface Gathered {
  readonly known: Set<string>;
  readonly accepted: Map<string, readonly string[]>;
  readonly issues: Issue[];
}

/** Reads parameters that may stand there once, under one of their names. */
function makeSingleReader(query: Query, { known, accepted, issues }: Gathered) {
  return (names: readonly string[]): string | undefined => {
    for (const name of names) known.add(name);
    const found = names.filter((name) => query.has(name));
    const [first] = found;
    if (first === undefined) return undefined;
    for (const name of found.filter((each) => query.get(each)!.length > 1)) {
      const message = `The parameter "${name}" was sent more than once; send it once.`;
      issues.push({ ...makeIssue(query, name, message), code: "PARAMETER_REPEATED" });
    }
    const value = query.get(first)![0]!;
    const other = found.find((name) => query.get(name)![0] !== value);
    if (other !== undefined) {
      const message = `"${first}" and "${other}" are the same parameter, but have different values; send one of them.`;
      issues.push({ ...makeIssue(query, first, message), code: "PARAMETERS_CONFLICT" });
    }
    accepted.set(names[0]!, [value]);
    return value;
  };
}

/** The name that the client used. */
function spelled(query: Query, names: readonly string[]): string {
  return names.find((name) => query.has(name)) ?? names[0]!;
}

/** A problem with the value of a parameter. */
export function makeIssue(query: Query, field: string, message: string): Issue {
  const value = query.get(field)?.[0];
  const pointer = `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const sent = value === undefined ? {} : { value: clip(value) };
  return { field, pointer, code: "PARAMETER_INVALID", messages: [message], ...sent };
}

function warnUnknown(name: string, known: ReadonlySet<string>, meant: Meant): Warning {
  const other = meant.get(name.toLowerCase().replace(/[^a-z]/g, ""));
  const nearest = other?.nearest ?? nearestNames(name, known, LIMITS.nearestMax);
  const hint = other !== undefined ? ` ${other.hint}` : nearest.length > 0 ? ` Did you mean "${nearest[0]}"?` : "";
  return {
    code: "UNKNOWN_PARAMETER",
    message: `The parameter "${clip(name)}" is unknown and was ignored.${hint}`,
    parameter: clip(name),
    ...(nearest.length === 0 ? {} : { nearest }),
  };
}

/** Warnings about parameters of one request, at most: a URL holds thousands. */
const WARNINGS_MAX = 20;
const ECHO_LENGTH_MAX = 200;

/** What a client sent, short enough to be said back. */
export function clip(text: string): string {
  return text.length <= ECHO_LENGTH_MAX ? text : `${text.slice(0, ECHO_LENGTH_MAX)}…`;
}
