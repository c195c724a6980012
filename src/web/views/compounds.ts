/** Finds the compounds that a record describes and the pictures of their structures. */
import type { Model } from "../../core/catalog/types.js";
import { textAt, valueLabel, valuesAt } from "../../core/citable/values-at.js";
import type { RecordBody } from "../../core/record.js";

/** A cited term whose structure may be known. */
export interface Compound {
  readonly vocabulary: string;
  readonly id: string;
  readonly title: string;
}

/** Addresses of pictures relative to the root, by `compoundKey`. */
export type Structures = ReadonlyMap<string, string>;

/** Returns a key of a compound: its vocabulary and id. */
export const compoundKey = ({ vocabulary, id }: Pick<Compound, "vocabulary" | "id">): string => `${vocabulary} ${id}`;

/** Picture of a compound's structure. */
export interface Picture {
  /** Address relative to the root. */
  readonly at: string;
  /** Title of the compound. */
  readonly title: string;
}

/** Maximum numbers of compounds and of thumbnails per record. */
const COMPOUNDS_MAX = 4;
const PICTURES_MAX = 2;

/** Returns the first distinct compounds that a record cites in the fields for which its model shows structures. */
export function compoundsOf({ metadata }: Pick<RecordBody, "metadata">, model: Model): readonly Compound[] {
  const citedCompounds = model.page.structures.flatMap(({ path, vocabulary }) =>
    valuesAt({ metadata }, path).flatMap((value): readonly Compound[] => {
      const id = textAt(value, "id");
      return id === undefined ? [] : [{ vocabulary, id, title: valueLabel(value) ?? id }];
    }),
  );
  return [...new Map(citedCompounds.map((compound) => [compoundKey(compound), compound])).values()].slice(
    0,
    COMPOUNDS_MAX,
  );
}

/** Returns the first pictures of these compounds. */
export function picturesOf(compounds: readonly Compound[], structures: Structures): readonly Picture[] {
  const pictures = compounds.flatMap((compound) => {
    const at = structures.get(compoundKey(compound));
    return at === undefined ? [] : [{ at, title: compound.title }];
  });
  return pictures.slice(0, PICTURES_MAX);
}
