/** A unit that converts: the number in the canonical unit of its dimension is (number + offset) × factor. */
export interface Unit {
  /** As it is declared: `µM`, `°C`, `M^-1 s^-1`. */
  readonly name: string;
  readonly dimension: string;
  readonly factor: number;
  readonly offset: number;
}

/** What can be compared with each other: molarities, temperatures. */
export interface Dimension {
  readonly name: string;
  readonly title: string;
  /** Name of the unit whose factor is 1, in which numbers are indexed. */
  readonly canonical: string;
  /** Is a number that stands without a unit one of this dimension? */
  readonly bare: boolean;
}

/** All units that convert, and how they are spelled (unit-spelling.ts). Plain data: it is handed to threads. */
export interface Units {
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** By name, in declared order. */
  readonly units: ReadonlyMap<string, Unit>;
  readonly spellings: UnitSpellings;
}

/** The units that words and keys stand for, by their names. */
export interface UnitSpellings {
  /** Spellings of one word, which may also stand in others (`M` in `1/Ms`), exactly as they are written. */
  readonly words: ReadonlyMap<string, string>;
  /** The same by `looseKey`; absent where two units share it. */
  readonly looseWords: ReadonlyMap<string, string>;
  /** All spellings by `unitKey`. */
  readonly keys: ReadonlyMap<string, string>;
}
