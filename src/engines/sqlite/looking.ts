import type { ChangeLog } from "./change-log.js";
import { recordOf } from "./element-rows.js";
import type { Memory } from "./memory.js";
import { type Answer, type Asked, ask, askForFew, joinAnswers, type Question } from "./question.js";
import type { RowRange } from "./rows.js";

/** What cannot be said before these questions are answered. */
export class Missing {
  constructor(readonly questions: readonly Question[]) {}
}

/** All of several, or all that is missing. */
export function allOrMissing<T>(several: readonly (T | Missing)[]): readonly T[] | Missing {
  const missing = several.filter((one) => one instanceof Missing);
  if (missing.length > 0) return new Missing(missing.flatMap(({ questions }) => questions));
  return several as readonly T[];
}

/** Something that is made of an answer and kept in memory. */
export interface Thing<T> {
  readonly key: string;
  readonly question: Question;
  make(answer: Answer): T;
  /**
   * The value after the records in the ranges changed; undefined where making it anew is better.
   * @param found the answer for these records, as they are now
   */
  patch(value: T, ranges: readonly RowRange[], found: Answer): T | undefined;
  /** Memory that it takes. */
  bytesOf(value: T): number;
}

/** A value as it was after the change `seq`. */
interface Kept<T> {
  readonly seq: number;
  readonly value: T;
}

/** An answer that another thread got, as it was after the change `seq`. */
export interface LoadedAnswer extends Answer {
  readonly seq: number;
}

/** What one search was told, over all of its attempts. */
export interface Told {
  readonly answers: Map<string, LoadedAnswer>;
  /** What was made and is too large for the memory. */
  readonly kept: Map<string, unknown>;
}

export interface LookingOptions extends Asked {
  readonly memory: Memory;
  readonly changes: ChangeLog;
  readonly told: Told;
  /** Does another thread answer what takes long? Else it is asked here. */
  readonly loadsElsewhere: boolean;
  /** Rows up to which an answer is quicker asked for than kept. */
  readonly fewRows: number;
}

/** Asking again takes no longer than bringing what is kept up to date. */
const QUICK_MS = 1;

export const questionKey = (question: Question): string => JSON.stringify(question);

/** Sets and columns as one read transaction sees them: kept ones brought up to date, others made. */
export class Looking {
  /** Number of the last change that the transaction sees. */
  readonly seq: number;

  constructor(readonly options: LookingOptions) {
    this.seq = options.changes.catchUp();
  }

  check(): void {
    this.options.check();
  }

  get<T>(thing: Thing<T>): T | Missing {
    return this.#kept(thing) ?? this.#made(thing);
  }

  /** As `get`, but never makes it of all records: of these only, where it is not kept. */
  among<T>(thing: Thing<T>, ranges: readonly RowRange[]): T {
    return this.#kept(thing) ?? thing.make(ask(thing.question, this.options, ranges));
  }

  /** As `get`; where there are few rows, they are asked for at once, and kept only if that was not quick. */
  getRows<T>(thing: Thing<T>): T | Missing {
    const kept = this.#kept(thing);
    if (kept !== undefined) return kept;
    const start = performance.now();
    const few = askForFew(thing.question, this.options, this.options.fewRows);
    if (few === undefined) return this.#made(thing);
    // A phrase of common words has few rows, and yet takes its time.
    const isQuick = performance.now() - start < QUICK_MS;
    return isQuick ? thing.make(few) : this.#keep(thing, thing.make(few));
  }

  #kept<T>(thing: Thing<T>): T | undefined {
    const { told, memory, changes } = this.options;
    const kept = (told.kept.get(thing.key) as Kept<T> | undefined) ?? memory.get<Kept<T>>(thing.key);
    if (kept === undefined || kept.seq === this.seq) return kept?.value;
    const ranges = changes.since(kept.seq);
    const patched =
      ranges && (ranges.length === 0 ? kept.value : thing.patch(kept.value, ranges, this.#ask(thing, ranges)));
    if (patched === undefined) {
      told.kept.delete(thing.key);
      memory.drop(thing.key);
      return undefined;
    }
    return this.#keep(thing, patched);
  }

  #ask<T>({ question }: Thing<T>, ranges: readonly RowRange[]): Answer {
    return ask(question, this.options, ranges);
  }

  #made<T>(thing: Thing<T>): T | Missing {
    const { told, loadsElsewhere } = this.options;
    const loaded = told.answers.get(questionKey(thing.question));
    if (loaded === undefined && loadsElsewhere) return new Missing([thing.question]);
    const answer = (loaded && this.#brought(thing.question, loaded)) ?? ask(thing.question, this.options);
    return this.#keep(thing, thing.make(answer));
  }

  /** An answer of another moment, brought to this one; undefined where too much has changed. */
  #brought(question: Question, answer: LoadedAnswer): Answer | undefined {
    if (answer.seq === this.seq) return answer;
    const ranges = this.options.changes.since(answer.seq);
    if (ranges === undefined || ranges.length === 0) return ranges && answer;
    return joinAnswers([unchangedPart(question, answer, ranges), ask(question, this.options, ranges)], question);
  }

  #keep<T>(thing: Thing<T>, value: T): T {
    const { memory, told } = this.options;
    const kept: Kept<T> = { seq: this.seq, value };
    memory.keep(thing.key, kept, thing.bytesOf(value));
    // What others may use too must not be kept twice: it changes in place.
    if (memory.get(thing.key) === undefined) told.kept.set(thing.key, kept);
    return value;
  }
}

function unchangedPart({ kind }: Question, { rows, values }: Answer, ranges: readonly RowRange[]): Answer {
  const isRecord = kind === "records" || kind === "visible";
  const stays = (row: number): boolean => {
    const record = isRecord ? row : recordOf(row);
    return !ranges.some(({ first, last }) => record >= first && record <= last);
  };
  const kept = values?.filter((_, i) => stays(rows[i]!));
  return { rows: rows.filter(stays), ...(kept === undefined ? {} : { values: kept }) };
}
