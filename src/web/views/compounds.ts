/** Compounds that a record is about, and the pictures of their structures. */
import type { Model } from "../../core/catalog/types.js";
import { labelOf, textAt, valuesAt } from "../../core/citable/values-at.js";
import type { RecordBody } from "../../core/record.js";

/** A cited term whose structure may be known. */
export interface Compound {
  readonly vocabulary: string;
  readonly id: string;
  readonly title: string;
}

/** Where pictures are, below the root, by `compoundKey`. */
export type Structures = ReadonlyMap<string, string>;

export const compoundKey = ({ vocabulary, id }: Pick<Compound, "vocabulary" | "id">): string => `${vocabulary} ${id}`;

/** A picture, and what it is of. */
export interface Picture {
  readonly at: string;
  readonly title: string;
}

/** More say nothing at the size of a stamp. */
const COMPOUNDS_MAX = 4;
const PICTURES_MAX = 2;

/** The first compounds that a record cites where its model declares that structures are to be shown; each once. */
export function compoundsOf({ metadata }: Pick<RecordBody, "metadata">, model: Model): readonly Compound[] {
  const cited = model.page.structures.flatMap(({ path, vocabulary }) =>
    valuesAt({ metadata }, path).flatMap((value): readonly Compound[] => {
      const id = textAt(value, "id");
      return id === undefined ? [] : [{ vocabulary, id, title: labelOf(value) ?? id }];
    }),
  );
  return [...new Map(cited.map((compound) => [compoundKey(compound), compound])).values()].slice(0, COMPOUNDS_MAX);
}

/** The pictures of those of them that have one. */
export function picturesOf(compounds: readonly Compound[], structures: Structures): readonly Picture[] {
  const pictures = compounds.flatMap((compound) => {
    const at = structures.get(compoundKey(compound));
    return at === undefined ? [] : [{ at, title: compound.title }];
  });
  return pictures.slice(0, PICTURES_MAX);
}
