/** What a plain model knows of a few terms and of records that cite one of them each. */

/** A term as it is now. */
export interface TermState {
  readonly id: string;
  revision: number;
  title: string;
  synonym?: string;
  isDeprecated: boolean;
  replacedBy?: string;
  /** Whether a curator changed its title, or its status and successor, since the source last did. */
  hasEditedTitle: boolean;
  hasEditedStatus: boolean;
  /** Whether its source has it. */
  isSourced: boolean;
  /** Whether it is deprecated because its source no longer had it. */
  isWithdrawn: boolean;
  /** Whether it waits for a curator to confirm it. */
  isWaiting: boolean;
}

/** A term as a record has it. */
export interface CitedState {
  readonly id: string;
  readonly revision: number;
  readonly title: string;
}

export type Person = "alice" | "bob";

/** A version of a record: its draft and what is published of it. */
export interface RecordState {
  readonly id: string;
  readonly parent: string;
  readonly owner: Person;
  readonly index: number;
  draft?: CitedState;
  record?: CitedState & { readonly asCited?: CitedState };
}

export interface LivingWorld {
  readonly terms: TermState[];
  readonly records: RecordState[];
}

export const findTerm = ({ terms }: LivingWorld, id: string): TermState => terms.find((term) => term.id === id)!;

/** A term and what replaced it, one after the other. */
export function chainOf(world: LivingWorld, id: string): readonly TermState[] {
  const chain = [findTerm(world, id)];
  for (let next = chain[0]!.replacedBy; next !== undefined; next = chain.at(-1)!.replacedBy) {
    chain.push(findTerm(world, next));
  }
  return chain;
}

/** The term that stands for an id now. */
export const standing = (world: LivingWorld, id: string): TermState => chainOf(world, id).at(-1)!;

/** What a write fills in for an id. */
export function filledIn(world: LivingWorld, id: string): CitedState {
  const { id: now, revision, title } = standing(world, id);
  return { id: now, revision, title };
}

export function isStale(world: LivingWorld, cited: CitedState): boolean {
  const { id, revision } = standing(world, cited.id);
  return id !== cited.id || revision !== cited.revision;
}

/** The newest published version of each record. */
export function latest({ records }: LivingWorld): readonly RecordState[] {
  const published = records.filter(({ record }) => record !== undefined);
  return published.filter((one) => !published.some(({ parent, index }) => parent === one.parent && index > one.index));
}

/** Returns whether a record that says this cites the term, or one that it replaced. */
export const cites = (world: LivingWorld, cited: CitedState, id: string): boolean =>
  chainOf(world, cited.id).some((term) => term.id === id);

/** Words by which a record is found for what it cites. */
export function wordsOf(world: LivingWorld, cited: CitedState): ReadonlySet<string> {
  const present = chainOf(world, cited.id).flatMap(({ title, synonym }) => [title, ...(synonym ? [synonym] : [])]);
  return new Set([cited.title, ...present]);
}

/**
 * Syncs with a release that has these terms, under these titles: what curators changed stays, what came from the source
 * and is missing is withdrawn, and what was withdrawn and is back is active again.
 */
export function syncTerms({ terms }: LivingWorld, release: ReadonlyMap<string, string>): void {
  for (const term of terms) {
    const title = release.get(term.id);
    const isRenamed = title !== undefined && title !== term.title && !term.hasEditedTitle;
    const isBack = title !== undefined && term.isWithdrawn && !term.isSourced && !term.hasEditedStatus;
    const isMissing = title === undefined && term.isSourced && !term.isDeprecated && !term.hasEditedStatus;
    // Who imports a term has looked at it.
    const isConfirmed = title !== undefined && term.isWaiting;
    if (isConfirmed || isMissing) term.isWaiting = false;
    if (isRenamed) term.title = title;
    if (isBack || isMissing) [term.isDeprecated, term.isWithdrawn] = [isMissing, isMissing];
    term.isSourced = title !== undefined;
    if (isRenamed || isBack || isMissing || isConfirmed) term.revision += 1;
  }
}

/** Refreshes what is stale, as `bindery refresh` does. @returns how many drafts and published records it wrote */
export function refreshAll(world: LivingWorld, withPublished: boolean): readonly [drafts: number, published: number] {
  let [drafts, published] = [0, 0];
  for (const one of world.records) {
    if (one.draft !== undefined && isStale(world, one.draft)) {
      one.draft = filledIn(world, one.draft.id);
      drafts += 1;
    }
    if (withPublished && one.record !== undefined && isStale(world, one.record)) {
      const { asCited, ...before } = one.record;
      one.record = { ...filledIn(world, one.record.id), asCited: asCited ?? before };
      published += 1;
    }
  }
  return [drafts, published];
}
