import { DumpError } from "../formats/dumps/dump-error.js";
import type { DumpEntry } from "../ports/authorities.js";

/** Numbers of taxa for which there is room at first; it doubles. */
const ROOM = 1 << 16;

const PART = "nodes.dmp";

/** There are some fifty. */
const RANKS_MAX = 1_000;

/** A place that is told of at most: a dump whose parents are all missing is one mistake. */
const MISTAKES_MAX = 1_000;

/** Stands for the children of a taxon that was counted itself: none has so many. */
const COUNTED = 0xffffffff;

/** The taxa of a dump by their numbers: parent, rank, line and taxa below of each, in 18 bytes. */
export class TaxonTree {
  /** By the number of the taxon; 0: there is none. */
  #parent = new Uint32Array(ROOM);
  #line = new Uint32Array(ROOM);
  /** Line of the names; 0: they did not come yet. */
  #named = new Uint32Array(ROOM);
  #rank = new Uint16Array(ROOM);
  /** How many stand below it, once they were counted. */
  #below = new Uint32Array(0);
  readonly #ranks: string[] = [];
  readonly #rankNumbers = new Map<string, number>();
  /** What stands in a circle, or below nothing: told, and no item. */
  readonly #wrong = new Set<number>();
  #last = 0;

  /** @returns the line on which the taxon stood before, 0 where it did not */
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

  /** Is it there, with nothing wrong about its place? */
  isWhole(id: number): boolean {
    return this.has(id) && !this.#wrong.has(id);
  }

  parentOf(id: number): number {
    return this.#parent[id]!;
  }

  rankOf(id: number): string {
    return this.#ranks[this.#rank[id]!]!;
  }

  /** How many taxa stand below it, at any depth. */
  belowOf(id: number): number {
    return this.#below[id] ?? 0;
  }

  /** Counts the taxa below each, from the leaves up, once all were added. Of what leads in a circle it says too few. */
  countBelow(): void {
    const below = new Uint32Array(this.#last + 1);
    /** Children of a taxon that were not counted yet. */
    const waiting = new Uint32Array(this.#last + 1);
    const isChild = (id: number): boolean => this.#parent[id] !== id && this.has(this.#parent[id]!);
    for (let id = 1; id <= this.#last; id++) if (this.has(id) && isChild(id)) waiting[this.#parent[id]!]! += 1;
    for (let start = 1; start <= this.#last; start++) {
      let at = start;
      while (this.has(at) && waiting[at] === 0) {
        waiting[at] = COUNTED;
        if (!isChild(at)) break;
        const parent = this.#parent[at]!;
        below[parent]! += below[at]! + 1;
        waiting[parent]! -= 1;
        at = parent;
      }
    }
    this.#below = below;
  }

  /** Notes that names of a taxon begin; why they may not. */
  whyNotNamed(id: number, line: number): string | undefined {
    if (!this.has(id)) return `taxon ${id} is not in ${PART}; the files are of different dumps, or one is cut off`;
    const before = this.#named[id]!;
    if (before > 0) return `names of taxon ${id} stand on line ${before} too; sort the file by its first column`;
    this.#named[id] = line;
    return undefined;
  }

  /** Taxa whose parent is not there, and those whose parents lead in a circle; the root is its own parent. */
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

  /** Taxa without any name. */
  findNameless(): readonly DumpEntry[] {
    const mistakes: DumpEntry[] = [];
    for (let id = 1; id <= this.#last && mistakes.length < MISTAKES_MAX; id++) {
      if (!this.has(id) || this.#named[id] !== 0) continue;
      const reason = `taxon ${id} has no name in names.dmp; is that file cut off? Download it again`;
      mistakes.push({ part: PART, line: this.#line[id]!, reason });
    }
    return mistakes;
  }

  /** One taxon of each circle of parents. */
  private findCircles(): readonly number[] {
    /** The walk up on which a taxon was first met; 0: none yet. */
    const walkOf = new Uint32Array(this.#last + 1);
    const found: number[] = [];
    for (let start = 1; start <= this.#last; start++) {
      let at = start;
      while (this.has(at) && walkOf[at] === 0 && this.#parent[at] !== at) {
        walkOf[at] = start;
        at = this.#parent[at]!;
      }
      if (this.has(at) && this.#parent[at] !== at && walkOf[at] === start) found.push(at);
    }
    return found;
  }

  private rankNumber(rank: string, line: number): number {
    const known = this.#rankNumbers.get(rank);
    if (known !== undefined) return known;
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
