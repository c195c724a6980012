import type { Vocabulary } from "../../../core/catalog/types.js";
import type { Clause } from "../../../query/clause.js";
import { startDeadline } from "../deadline.js";
import { describeClause } from "../describe-clause.js";
import type { Memory } from "../memory.js";
import type { RowSet } from "../row-set.js";
import type { Generation } from "./generation.js";

/** One search: where it looks, and how long it may take. */
export interface SearchContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
  /** Keeps what is read from the tables of a generation. */
  readonly memory: Memory;
  /** Answers of clauses: the steps of a ranking ask for some again and again. */
  readonly answers: Map<string, RowSet>;
  /** @param clause what is being looked up, for the message. @throws BinderyError QUERY_TOO_COSTLY */
  checkTime(clause?: Clause): void;
}

export function makeContext(
  vocabulary: Vocabulary,
  generation: Generation,
  memory: Memory,
  timeoutMs: number,
): SearchContext {
  let costly: Clause | undefined;
  const deadline = startDeadline(timeoutMs, () => (costly === undefined ? "the query" : describeClause(costly)));
  return {
    vocabulary,
    generation,
    memory,
    answers: new Map(),
    checkTime: (clause) => {
      costly = clause ?? costly;
      deadline.check();
    },
  };
}

/** What is kept for one generation: made by `make` where it is not there. @returns the value and its bytes */
export function kept<T>(
  { generation, memory }: Pick<SearchContext, "generation" | "memory">,
  name: string,
  make: () => readonly [value: T, bytes: number],
): T {
  const key = `${generation.g} ${name}`;
  const known = memory.get<T>(key);
  if (known !== undefined) return known;
  const [value, bytes] = make();
  memory.keep(key, value, bytes);
  return value;
}

/** As `kept`, for what single writes change. */
export function keptUntilWrite<T>(
  context: Pick<SearchContext, "generation" | "memory">,
  name: string,
  make: () => readonly [value: T, bytes: number],
): T {
  const { generation, memory } = context;
  const key = `${generation.g} ${name}`;
  const known = memory.get<{ readonly writes: number; readonly value: T }>(key);
  if (known?.writes === generation.writes) return known.value;
  const [value, bytes] = make();
  memory.keep(key, { writes: generation.writes, value }, bytes);
  return value;
}
