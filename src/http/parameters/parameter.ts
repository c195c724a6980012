/** The one declaration of a parameter: what OpenAPI shows of it, and what reads and checks it. */
import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import type { Query } from "./query-string.js";

/** What the path of a request has that its parameters name. */
export interface PathNames {
  readonly facets: readonly SearchedFacet[];
  /** What hits can be sorted by beside the orders that every search has. */
  readonly sorts: RecordSorts;
}

/** Why a value is refused: a whole message, and what is taken instead where that is a list. */
export interface Refusal {
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** What JSON Schema cannot say of how a parameter is read. */
export interface Reading {
  /** A short name of the same parameter. */
  readonly alias?: string;
  /** What other services call it, in lower case without signs. */
  readonly elsewhere?: readonly string[];
  /** What a client is told that uses one of those names. */
  readonly hint?: string;
  /** The whole message about a wrong value; absent: one that says what the schema allows. */
  readonly refusal?: (value: string) => string;
  /** Checks a text that the schema allows against what the path has; undefined: it is right. */
  readonly check?: (text: string, path: PathNames, query: Query) => Refusal | undefined;
  /** Parameters that it cannot be sent with, and the message that says so. */
  readonly conflicts?: Readonly<Record<string, string>>;
  /** The largest page that is served; the refusal of a larger one has a code of its own, PAGE_SIZE_TOO_LARGE. */
  readonly sizeMax?: number;
  /** Does it stand for all parameters that begin so? Its value maps the rest of their names to theirs. */
  readonly prefix?: string;
  /** Does it stand for facets? Those are given to `readParameters`, and read by their kind. */
  readonly isFacet?: boolean;
}

/** A parameter of the type S, with the value D where it is not sent. */
export interface Parameter<S extends TSchema = TSchema, D = unknown> extends Reading {
  readonly schema: S;
  readonly absent: D;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of parameters by name. */
export type Values<P extends Parameters> = {
  readonly [N in keyof P]: P[N] extends Parameter<infer S, infer D> ? Static<S> | D : never;
};

/** What a schema says of the values that a parameter takes. */
export interface Allowed {
  readonly type?: string;
  readonly words?: readonly string[] | undefined;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/** A parameter as it is read: what is the same for all requests. */
export interface ReadParameter {
  readonly name: string;
  /** With its alias. */
  readonly names: readonly string[];
  readonly declared: Parameter;
  readonly allowed: Allowed;
}

/** All parameters of a query string. */
export interface QueryDeclaration<P extends Parameters = Parameters> {
  readonly parameters: P;
  /** Those that do not stand for facets. */
  readonly read: readonly ReadParameter[];
  /** For the `querystring` of a route. */
  readonly schema: TUnsafe<Query>;
}

/** Declares a parameter; the type of its schema says how it is read: an array takes repeated values. */
export function parameter<S extends TSchema, const D extends Static<S> | undefined = undefined>(
  schema: S,
  { default: absent, ...reading }: Reading & { readonly default?: D } = {},
): Parameter<S, D> {
  return { ...reading, schema: absent === undefined ? schema : { ...schema, default: absent }, absent: absent as D };
}

/** Declares a query string; parameters are read, and their problems listed, in this order. */
export function queryOf<P extends Parameters>(parameters: P): QueryDeclaration<P> {
  const shown = Object.entries(parameters).flatMap(([name, declared]) => [
    [name, Type.Optional(describeParameter(declared, parameters))] as const,
    ...(declared.alias === undefined
      ? []
      : [[declared.alias, Type.Optional(describeAlias(name, declared, parameters))] as const]),
  ]);
  const read = Object.entries(parameters).flatMap(([name, declared]): readonly ReadParameter[] => {
    const { schema, alias, isFacet } = declared;
    if (isFacet === true) return [];
    return [{ name, names: alias === undefined ? [name] : [name, alias], declared, allowed: allowedBy(schema) }];
  });
  return { parameters, read, schema: Type.Unsafe<Query>(Type.Object(Object.fromEntries(shown))) };
}

/** The texts of a value that is true or false. */
const FLAGS: readonly string[] = ["true", "1", "false", "0"];

type AnySchema = TSchema & Omit<Allowed, "words" | "pattern"> & { readonly enum?: readonly string[]; pattern?: string };

function allowedBy({ type, enum: words, pattern, minimum, maximum, maxItems }: AnySchema): Allowed {
  return {
    ...(type === undefined ? {} : { type }),
    words: type === "boolean" ? FLAGS : words,
    ...(pattern === undefined ? {} : { pattern: new RegExp(pattern) }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

/** Returns the schema that OpenAPI shows; `x-not-with` has the rules of `conflicts`, which OpenAPI cannot express. */
function describeParameter({ schema, conflicts, sizeMax }: Parameter, parameters: Parameters): TSchema {
  const excluded = Object.keys(conflicts ?? {}).flatMap((name) => [name, parameters[name]?.alias ?? []].flat());
  return {
    ...schema,
    ...(sizeMax === undefined ? {} : { maximum: sizeMax }),
    ...(excluded.length === 0 ? {} : { "x-not-with": excluded }),
  };
}

function describeAlias(name: string, declared: Parameter, parameters: Parameters): TSchema {
  const { default: _default, ...same } = describeParameter(declared, parameters) as TSchema & {
    readonly default?: unknown;
  };
  return { ...same, description: `The same as \`${name}\`.`, "x-not-with": [name] };
}
