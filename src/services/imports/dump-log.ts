import type { DumpPlace } from "../../ports/authorities.js";
import type { DumpReport } from "../api/import-services.js";

/** Keeps what is told of a dump beside its items, and numbers the lines of its files through. */
export class DumpLog {
  #release: string | undefined;
  readonly #leftOut = new Map<string, number>();
  readonly #stretches: { at: number; part: string; line: number }[] = [];
  #last = 0;

  /** The number of a place. Later ones of a file have higher numbers, as long as its lines come in order. */
  number({ part, line }: DumpPlace): number {
    const stretch = this.#stretches.at(-1);
    const number = stretch?.part === part ? stretch.at + line - stretch.line : 0;
    if (number >= this.#last && number > 0) {
      this.#last = number;
      return number;
    }
    this.#last += 1;
    this.#stretches.push({ at: this.#last, part, line });
    return this.#last;
  }

  release(name: string): void {
    this.#release ??= name;
  }

  leaveOut(what: string, count = 1): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  report(): DumpReport {
    const release = this.#release === undefined ? {} : { release: this.#release };
    return { ...release, leftOut: Object.fromEntries(this.#leftOut), stretches: [...this.#stretches] };
  }
}

/** Where a number stands. */
export function placeOf(number: number, stretches: DumpReport["stretches"]): { part?: string; line: number } {
  const stretch = stretches.findLast(({ at }) => at <= number);
  if (stretch === undefined) return { line: number };
  const { part, line, at } = stretch;
  return { ...(part === "" ? {} : { part }), line: line + number - at };
}
