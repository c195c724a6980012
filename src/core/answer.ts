/**
 * Declarations of answers. One TypeBox schema is the component of the OpenAPI document, the type and the documentation
 * of an answer. Only the thread that answers HTTP loads schemas; all other code imports their types.
 */
import { type Static, type TSchema, Type } from "typebox";
import type { Json, JsonObject } from "./json.js";

/**
 * The type of the values that a schema describes, read-only at every depth. An optional member may be undefined; JSON
 * leaves it out then.
 */
export type Answer<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

type DeepReadonly<Value> = [Json] extends [Value]
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> | AbsentIfOptional<Value, Name> }
      : Value;

/** `undefined` for the name of an optional member, `never` for a required one and for an index signature. */
type AbsentIfOptional<Value, Name extends keyof Value> = string extends Name
  ? never
  : Value extends Required<Pick<Value, Name>>
    ? never
    : undefined;

/** Returns a reference to a component, which has an `$id`. */
export const ref = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: `${(schema as { readonly $id?: string }).$id}#` });

/** Returns the schema of a text that is one of a few words. */
export const choice = <const Word extends string>(
  words: readonly Word[],
  options: { readonly description?: string } = {},
) => Type.Enum<Word[]>([...words], { type: "string", ...options });

/** Returns the schema of a text. */
export const text = (description: string, examples: readonly string[] = []) =>
  Type.String({ description, ...(examples.length === 0 ? {} : { examples: [...examples] }) });

/** Returns the schema of a URL. */
export const link = (description: string) => Type.String({ format: "uri", description });

/** Returns the schema of an instant. */
export const instant = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-21T10:00:00.123456+00:00"] });

/** Returns the schema of a number of things. */
export const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

/** Returns the schema of any JSON value. */
export const json = (description?: string) => Type.Unsafe<Json>(description === undefined ? {} : { description });

/** Returns the schema of an object whose members are described elsewhere, or not at all. */
export const openObject = (description: string) =>
  Type.Unsafe<JsonObject>({ type: "object", description, additionalProperties: true });

/** Returns the schema of titles by language. */
export const titles = () =>
  Type.Record(Type.String(), Type.String(), {
    description: "One title per language.",
    examples: [{ en: "Escherichia coli" }],
  });
