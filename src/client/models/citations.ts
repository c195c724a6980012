import type { Vocabularies } from "./vocabularies.js";

declare const cited: unique symbol;
declare const referred: unique symbol;

/** One title per language tag: `{ en: "Water" }`. */
export type Titles = Record<string, string>;

/**
 * A term of a vocabulary is cited here. Its `id` is all that is needed: the service fills in its title and the named
 * props, in place of what is sent.
 */
export type Cited<Name extends keyof Vocabularies, Copied extends keyof Vocabularies[Name] = never> = {
  id: string;
  "@v"?: string;
  title?: Titles;
  readonly [cited]?: Pick<Vocabularies[Name], Copied>;
} & Pick<Vocabularies[Name], Copied>;

/**
 * Another part of the same record is meant. Its `id` is all that is needed: the service fills in the named fields, in
 * place of what is sent.
 */
export type Referred<Copied extends string = never> = {
  id: string;
  readonly [referred]?: { [Name in Copied]?: string };
} & { [Name in Copied]?: string };

/** A cited term as a record holds it: the version of the term, its titles, and the props that the model copies. */
export type CitedTerm<Copied = unknown> = { "@v": string; id: string; title: Titles } & Copied;

/**
 * Metadata as one reads them, made of the metadata that one sends: cited terms have their titles and props, references
 * the fields of what they refer to. What was read can be sent back. In a draft with `errors` anything may be missing.
 */
export type Received<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? Received<Item>[]
    : T extends object
      ? typeof cited extends keyof T
        ? CitedTerm<NonNullable<T[typeof cited]>>
        : typeof referred extends keyof T
          ? { id: string } & NonNullable<T[typeof referred]>
          : { [Key in keyof T]: Received<T[Key]> }
      : T;
