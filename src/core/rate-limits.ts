/** What a request costs: a read by id, a search, or a write. Each is counted by itself. */
export const EFFORTS = ["reads", "searches", "writes"] as const;
export type Effort = (typeof EFFORTS)[number];

/** Requests per minute of one user, with all their tokens, or of one address without a token. */
export type RateLimits = Readonly<Record<Effort, number>>;

/** Far above what people and well-behaved scripts send, far below what keeps a small machine from serving others. */
export const RATE_LIMITS_DEFAULT: RateLimits = { reads: 60_000, searches: 12_000, writes: 6_000 };

/** What `parseRateLimits` takes. */
export const RATE_LIMITS_PATTERN =
  "^(off|(reads|searches|writes)=[1-9]\\d{0,8}(,(reads|searches|writes)=[1-9]\\d{0,8})*)$";

export const printRateLimits = (limits: RateLimits): string =>
  EFFORTS.map((effort) => `${effort}=${limits[effort]}`).join(",");

/** @param text `off`, or `reads=60000,writes=600`; what it leaves out has its default. @returns undefined: no limits */
export function parseRateLimits(text: string): RateLimits | undefined {
  if (text === "off") return undefined;
  const said = text.split(",").map((part) => part.split("=") as [Effort, string]);
  return { ...RATE_LIMITS_DEFAULT, ...Object.fromEntries(said.map(([effort, max]) => [effort, Number(max)])) };
}
