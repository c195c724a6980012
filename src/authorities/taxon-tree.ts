import { circlesIn } from "../core/terms/term-order.js";
import { DumpError } from "../formats/dumps/dump-file.js";
import type { DumpEntry } from "../ports/authorities.js";

/** Initial room for numbers of taxa; it doubles. */
const ROOM = 1 << 16;

const PART = "nodes.dmp";

/** A dump has some fifty ranks. */
const RANKS_MAX = 1_000;

/** Maximum number of reported mistakes: a dump whose parents are all missing is one mistake. */
const MISTAKES_MAX = 1_000;

/** Marks a taxon that was counted, in place of its number of children. */
const COUNTED = 0xffffffff;

/** The taxa of a dump by their numbers: parent, rank, line and number of descendants of each, in 18 bytes. */
export class TaxonTree {
  /** By the number of the taxon; 0: there is none. */
  #parent = new Uint32Array(ROOM);
  #line = new Uint32Array(ROOM);
  /** Line of the names; 0: not read yet. */
  #named = new Uint32Array(ROOM);
  #rank = new Uint16Array(ROOM);
  /** Number of descendants, after they were counted. */
  #below = new Uint32Array(0);
  readonly #ranks: string[] = [];
  readonly #rankNumbers = new Map<string, number>();
  /** Taxa in a circle or without a parent, which are reported and make no term. */
  readonly #wrong = new Set<number>();
  #last = 0;

  /** Adds a taxon. @returns the line of the same taxon if it was added before, else 0 */
  add(id: number, parent: number, rank: string, line: number): number {
    if (id >= this.#parent.length) this.grow(id);
    if (this.has(id)) return this.#line[id]!;
    this.#parent[id] = parent;
    this.#line[id] = line;
    this.#rank[id] = this.rankNumber(rank, line);
    this.#last = Math.max(this.#last, id);
    return 0;
  }

  has(id: number): boolean {
    return id < this.#parent.length && this.#parent[id] !== 0;
  }

  /** Returns whether the taxon exists and its place is valid. */
  isWhole(id: number): boolean {
    return this.has(id) && !this.#wrong.has(id);
  }

  taxonParent(id: number): number {
    return this.#parent[id]!;
  }

  taxonRank(id: number): string {
    return this.#ranks[this.#rank[id]!]!;
  }

  /** Returns the number of its descendants. */
  belowOf(id: number): number {
    return this.#below[id] ?? 0;
  }

  /**
   * Counts the descendants of each taxon, from the leaves up, after all were added. Counts on paths into a circle are
   * too small.
   */
  countBelow(): void {
    const below = new Uint32Array(this.#last + 1);
    /** Number of children that were not counted yet. */
    const waiting = new Uint32Array(this.#last + 1);
    const isChild = (id: number): boolean => this.#parent[id] !== id && this.has(this.#parent[id]!);
    for (let id = 1; id <= this.#last; id++) if (this.has(id) && isChild(id)) waiting[this.#parent[id]!]! += 1;
    for (let start = 1; start <= this.#last; start++) {
      let current = start;
      while (this.has(current) && waiting[current] === 0) {
        waiting[current] = COUNTED;
        if (!isChild(current)) break;
        const parent = this.#parent[current]!;
        below[parent]! += below[current]! + 1;
        waiting[parent]! -= 1;
        current = parent;
      }
    }
    this.#below = below;
  }

  /** Notes the line where the names of a taxon begin. @returns the reason if that is invalid */
  whyNotNamed(id: number, line: number): string | undefined {
    if (!this.has(id)) return `taxon ${id} is not in ${PART}; the files are of different dumps, or one is cut off`;
    const previousLine = this.#named[id]!;
    if (previousLine > 0)
      return `names of taxon ${id} stand on line ${previousLine} too; sort the file by its first column`;
    this.#named[id] = line;
    return undefined;
  }

  /** Returns the taxa with a missing parent, and those whose parents form a circle; the root is its own parent. */
  findMistakes(): readonly DumpEntry[] {
    const mistakes: DumpEntry[] = [];
    const note = (id: number, reason: string): void => {
      this.#wrong.add(id);
      if (mistakes.length < MISTAKES_MAX) mistakes.push({ part: PART, line: this.#line[id]!, reason });
    };
    for (let id = 1; id <= this.#last; id++) {
      const parent = this.#parent[id]!;
      if (parent !== 0 && !this.has(parent)) {
        note(id, `the parent ${parent} of taxon ${id} is not in the file; is it cut off? Download it again`);
      }
    }
    for (const id of this.findCircles()) {
      note(id, `the parents of taxon ${id} lead back to it; download the dump again`);
    }
    return mistakes;
  }

  /** Returns the taxa without any name. */
  findNameless(): readonly DumpEntry[] {
    const mistakes: DumpEntry[] = [];
    for (let id = 1; id <= this.#last && mistakes.length < MISTAKES_MAX; id++) {
      if (!this.has(id) || this.#named[id] !== 0) continue;
      const reason = `taxon ${id} has no name in names.dmp; is that file cut off? Download it again`;
      mistakes.push({ part: PART, line: this.#line[id]!, reason });
    }
    return mistakes;
  }

  /** Returns one taxon of each circle of parents. */
  private findCircles(): readonly number[] {
    const parents = this.#parent.slice(0, this.#last + 1);
    for (let id = 1; id <= this.#last; id++) if (parents[id] === id || !this.has(parents[id]!)) parents[id] = 0;
    return circlesIn(parents).map(([taxon]) => taxon!);
  }

  private rankNumber(rank: string, line: number): number {
    const rankIndex = this.#rankNumbers.get(rank);
    if (rankIndex !== undefined) return rankIndex;
    if (this.#ranks.length > RANKS_MAX) {
      throw new DumpError(`the file has more than ${RANKS_MAX} different ranks; is this ${PART}?`, PART, line);
    }
    const number = this.#ranks.push(rank) - 1;
    this.#rankNumbers.set(rank, number);
    return number;
  }

  private grow(id: number): void {
    const room = 2 ** Math.ceil(Math.log2(id + 1));
    const grown = <T extends Uint32Array | Uint16Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    this.#parent = grown(this.#parent, new Uint32Array(room));
    this.#line = grown(this.#line, new Uint32Array(room));
    this.#named = grown(this.#named, new Uint32Array(room));
    this.#rank = grown(this.#rank, new Uint16Array(room));
  }
}
