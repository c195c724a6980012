/** Kinds of requests, which are limited separately: reads by id, searches, and writes. */
const EFFORTS = ["reads", "searches", "writes"] as const;
/** Kind of a request, which decides the limit that counts it. */
export type Effort = (typeof EFFORTS)[number];

/** Requests per minute. */
type Budget = Readonly<Record<Effort, number>>;

/** Limits for each user, over all tokens, and for each address without a token. */
export interface RateLimits {
  readonly users: Budget;
  readonly anonymous: Budget;
}

/**
 * Default limits, far above the rates of people and well-behaved scripts. Fast anonymous searches (5 ms each) take at
 * most about half of one processor; `LIMITS.searchesRunningPerCallerMax` limits slow ones. Writes without a token are
 * refused anyway.
 */
export const RATE_LIMITS_DEFAULT: RateLimits = {
  users: { reads: 60_000, searches: 12_000, writes: 6_000 },
  anonymous: { reads: 30_000, searches: 6_000, writes: 3_000 },
};

const PART = "(anonymous-)?(reads|searches|writes)=[1-9]\\d{0,8}";

/** Pattern of the texts for `parseRateLimits`. */
export const RATE_LIMITS_PATTERN = `^(off|${PART}(,${PART})*)$`;

/** Formats limits in the syntax of `parseRateLimits`. */
export const printRateLimits = ({ users, anonymous }: RateLimits): string =>
  [
    ...EFFORTS.map((effort) => `${effort}=${users[effort]}`),
    ...EFFORTS.map((effort) => `anonymous-${effort}=${anonymous[effort]}`),
  ].join(",");

/**
 * Parses limits.
 * @param text `off`, or `reads=60000,anonymous-reads=600`. Missing limits have their defaults, but those of addresses
 *   at most the limits of users.
 * @returns undefined if there are no limits
 */
export function parseRateLimits(text: string): RateLimits | undefined {
  if (text === "off") return undefined;
  const parts = new Map(text.split(",").map((part) => part.split("=") as [string, string]));
  const budget = (of: (effort: Effort) => number): Budget => ({
    reads: of("reads"),
    searches: of("searches"),
    writes: of("writes"),
  });
  const users = budget((effort) => Number(parts.get(effort) ?? RATE_LIMITS_DEFAULT.users[effort]));
  const anonymous = budget((effort) =>
    Number(parts.get(`anonymous-${effort}`) ?? Math.min(users[effort], RATE_LIMITS_DEFAULT.anonymous[effort])),
  );
  return { users, anonymous };
}
