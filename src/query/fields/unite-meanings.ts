import type { Leaf } from "../../core/catalog/types.js";
import type { Meaning, Space } from "./field-meanings.js";

export interface Found {
  readonly space: Space;
  readonly meaning: Meaning;
}

/**
 * One meaning for all models where that comes to the same: every model gives all of its own leaves among the united
 * ones the same meaning. Else one for each group of models that agree.
 */
export function uniteMeanings(spaces: readonly Space[], found: readonly Found[]): readonly Meaning[] {
  const first = found[0]!.meaning;
  if (spaces.length === 1) return [first];
  const leaves = new Map(found.flatMap(({ meaning }) => meaning.leaves.map((leaf) => [leaf.path, leaf] as const)));
  const sites = new Set(found.flatMap(({ meaning }) => meaning.sites));
  const agree = spaces.every((space) => {
    const own = found.find((one) => one.space === space)?.meaning;
    const ofLeaves = new Map(own?.leaves.map((leaf) => [leaf.path, leaf]));
    const fits = (leaf: Leaf): boolean => {
      const declared = space.leaves.get(leaf.path);
      return declared === undefined || (ofLeaves.has(leaf.path) && comparesBy(declared) === comparesBy(leaf));
    };
    const isSameKind = own === undefined || kindOf(own) === kindOf(first);
    const isSamePlace = own === undefined || own.path === first.path || !first.isElement;
    const citesSame = [...sites].every((site) => own?.sites.includes(site) || !space.sites.includes(site));
    return isSameKind && isSamePlace && citesSame && [...leaves.values()].every(fits);
  });
  if (agree) return [{ ...first, leaves: [...leaves.values()], sites: [...sites] }];
  return groupEqual(found);
}

function groupEqual(found: readonly Found[]): readonly Meaning[] {
  const groups = new Map<string, { meaning: Meaning; spaces: Space[] }>();
  for (const { space, meaning } of found) {
    const typed = meaning.leaves.map((leaf) => [leaf.path, comparesBy(leaf)]);
    const key = JSON.stringify([meaning.path, kindOf(meaning), typed, meaning.sites]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { meaning, spaces: [space] });
    else group.spaces.push(space);
  }
  return [...groups.values()].map(({ meaning, spaces }) => nameModels(meaning, spaces));
}

/** Says in which models a name means this. */
export function nameModels(meaning: Meaning, spaces: readonly Space[]): Meaning {
  const models = spaces.flatMap(({ model }) => model ?? []);
  return models.length === 0 ? meaning : { ...meaning, models };
}

/** What tells the values of two leaves at one path apart. */
const comparesBy = ({ type, kind, quantity }: Leaf): string => JSON.stringify([type, kind, quantity]);

const kindOf = ({ isLeaf, isElement, dimensions }: Meaning): string => JSON.stringify([isLeaf, isElement, dimensions]);

/** One meaning for several places of one model. Only a single place can be an array of objects. */
export function joinMeanings(first: Meaning, others: readonly Meaning[]): Meaning {
  if (others.length === 0) return first;
  const meanings = [first, ...others];
  const leaves = new Map(meanings.flatMap((meaning) => meaning.leaves.map((leaf) => [leaf.path, leaf] as const)));
  return {
    ...first,
    leaves: [...leaves.values()],
    isLeaf: meanings.every(({ isLeaf }) => isLeaf),
    isElement: false,
    sites: [...new Set(meanings.flatMap(({ sites }) => sites))],
  };
}
