/** Declarations of parameters. OpenAPI shows them, and `parameter-reader` reads and checks requests by them. */
import { type Static, type TSchema, type TUnsafe, Type } from "typebox";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import type { Query } from "./url-encoding.js";

/** Names that the path of a request makes available to its parameters. */
export interface PathNames {
  readonly facets: readonly SearchedFacet[];
  /** Fields by which hits can be sorted, in addition to the orders of every search. */
  readonly sorts: RecordSorts;
}

/** Refusal of a value: the whole message, and the allowed values if they are a list. */
export interface ValueRefusal {
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Rules for reading a parameter that JSON Schema cannot express. */
interface ReadingRules {
  /** Short name of the same parameter. */
  readonly alias?: string;
  /** Names of the same parameter in other services, reduced to lower-case letters. */
  readonly elsewhere?: readonly string[];
  /** Hint for a client that uses a name of `elsewhere`. */
  readonly hint?: string;
  /** Returns the whole message about a wrong value; by default a message with what the schema allows. */
  readonly refusal?: (value: string) => string;
  /** Checks a text that the schema allows against the names of the path; returns undefined if it is valid. */
  readonly check?: (text: string, path: PathNames, query: Query) => ValueRefusal | undefined;
  /** Parameters that exclude this one, each with the message about both. */
  readonly conflicts?: Readonly<Record<string, string>>;
  /** Maximum size of a page; a larger one is refused with PAGE_SIZE_TOO_LARGE. */
  readonly sizeMax?: number | undefined;
  /**
   * Prefix of parameters, if this declaration stands for all of them. Its value maps the rest of their names to their
   * values.
   */
  readonly prefix?: string;
  /**
   * True if this declaration stands for the facets that `readParameters` receives. Their values are read by their
   * kinds.
   */
  readonly isFacet?: boolean;
}

/** Parameter of the type S. */
export interface Parameter<S extends TSchema = TSchema, D = unknown> extends ReadingRules {
  readonly schema: S;
  /** Value if the parameter was not sent. */
  readonly absent: D;
}

/** Parameters by name. */
export type ParameterMap = Readonly<Record<string, Parameter>>;

/** Values of parameters by name. */
export type ParameterValues<P extends ParameterMap> = {
  readonly [N in keyof P]: P[N] extends Parameter<infer S, infer D> ? Static<S> | D : never;
};

/** Values that a schema allows. */
export interface Allowed {
  readonly type?: string | undefined;
  readonly words?: readonly string[] | undefined;
  readonly pattern?: RegExp | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Compiled declaration of a parameter. */
export interface CompiledParameter {
  readonly name: string;
  /** Its name and its alias. */
  readonly names: readonly string[];
  readonly declared: Parameter;
  readonly allowed: Allowed;
}

/** Declaration of all parameters of a query string. */
export interface QueryDeclaration<P extends ParameterMap = ParameterMap> {
  readonly parameters: P;
  /** Parameters that do not stand for facets. */
  readonly compiled: readonly CompiledParameter[];
  /** Schema for the `querystring` of a route. */
  readonly schema: TUnsafe<Query>;
}

/** Declares a parameter. It is read by the type of its schema: an array takes repeated values. */
export function parameter<S extends TSchema, const D extends Static<S> | undefined = undefined>(
  schema: S,
  { default: absent, ...reading }: ReadingRules & { readonly default?: D } = {},
): Parameter<S, D> {
  return { ...reading, schema: absent === undefined ? schema : { ...schema, default: absent }, absent: absent as D };
}

/** Declares a query string. Parameters are read, and their problems listed, in the order of the declaration. */
export function declareQuery<P extends ParameterMap>(parameters: P): QueryDeclaration<P> {
  const schemas = Object.entries(parameters).flatMap(([name, declared]) => [
    [name, Type.Optional(describeParameter(declared, parameters))] as const,
    ...(declared.alias === undefined
      ? []
      : [[declared.alias, Type.Optional(describeAlias(name, declared, parameters))] as const]),
  ]);
  const compiled = Object.entries(parameters).flatMap(([name, declared]): readonly CompiledParameter[] => {
    const { schema, alias, isFacet } = declared;
    if (isFacet === true) return [];
    return [{ name, names: alias === undefined ? [name] : [name, alias], declared, allowed: allowedBy(schema) }];
  });
  return { parameters, compiled, schema: Type.Unsafe<Query>(Type.Object(Object.fromEntries(schemas))) };
}

/** Texts of a Boolean value. */
const FLAGS: readonly string[] = ["true", "1", "false", "0"];

type AnySchema = TSchema & Omit<Allowed, "words" | "pattern"> & { readonly enum?: readonly string[]; pattern?: string };

function allowedBy({ type, enum: enumeration, pattern, minimum, maximum, maxItems }: AnySchema): Allowed {
  const words = type === "boolean" ? FLAGS : enumeration;
  return { type, words, pattern: pattern === undefined ? undefined : new RegExp(pattern), minimum, maximum, maxItems };
}

/** Returns the schema that OpenAPI shows; `x-not-with` has the rules of `conflicts`, which OpenAPI cannot express. */
function describeParameter({ schema, conflicts, sizeMax }: Parameter, parameters: ParameterMap): TSchema {
  const excluded = Object.keys(conflicts ?? {}).flatMap((name) => [name, parameters[name]?.alias ?? []].flat());
  return {
    ...schema,
    ...(sizeMax === undefined ? {} : { maximum: sizeMax }),
    ...(excluded.length === 0 ? {} : { "x-not-with": excluded }),
  };
}

function describeAlias(name: string, declared: Parameter, parameters: ParameterMap): TSchema {
  const { default: _default, ...schema } = describeParameter(declared, parameters) as TSchema & {
    readonly default?: unknown;
  };
  return { ...schema, description: `The same as \`${name}\`.`, "x-not-with": [name] };
}
