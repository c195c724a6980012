/** What a request costs: a read by id, a search, or a write. Each is counted by itself. */
const EFFORTS = ["reads", "searches", "writes"] as const;
export type Effort = (typeof EFFORTS)[number];

/** Requests per minute. */
type Budget = Readonly<Record<Effort, number>>;

/** What each user may send, with all their tokens, and each address without a token. */
export interface RateLimits {
  readonly users: Budget;
  readonly anonymous: Budget;
}

/**
 * Far above what people and well-behaved scripts send. Anonymous searches take at most some half of one processor where
 * they are quick (5 ms each); how many slow ones run at once is limited by `LIMITS.searchesRunningPerCallerMax`. Writes
 * without a token are refused anyway.
 */
export const RATE_LIMITS_DEFAULT: RateLimits = {
  users: { reads: 60_000, searches: 12_000, writes: 6_000 },
  anonymous: { reads: 30_000, searches: 6_000, writes: 3_000 },
};

const PART = "(anonymous-)?(reads|searches|writes)=[1-9]\\d{0,8}";

/** What `parseRateLimits` takes. */
export const RATE_LIMITS_PATTERN = `^(off|${PART}(,${PART})*)$`;

export const printRateLimits = ({ users, anonymous }: RateLimits): string =>
  [
    ...EFFORTS.map((effort) => `${effort}=${users[effort]}`),
    ...EFFORTS.map((effort) => `anonymous-${effort}=${anonymous[effort]}`),
  ].join(",");

/**
 * @param text `off`, or `reads=60000,anonymous-reads=600`. What it leaves out has its default; an address never has
 * more than a user where nothing is said of it.
 * @returns undefined: no limits
 */
export function parseRateLimits(text: string): RateLimits | undefined {
  if (text === "off") return undefined;
  const said = new Map(text.split(",").map((part) => part.split("=") as [string, string]));
  const budget = (of: (effort: Effort) => number): Budget => ({
    reads: of("reads"),
    searches: of("searches"),
    writes: of("writes"),
  });
  const users = budget((effort) => Number(said.get(effort) ?? RATE_LIMITS_DEFAULT.users[effort]));
  const anonymous = budget((effort) =>
    Number(said.get(`anonymous-${effort}`) ?? Math.min(users[effort], RATE_LIMITS_DEFAULT.anonymous[effort])),
  );
  return { users, anonymous };
}
