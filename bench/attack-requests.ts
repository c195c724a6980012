/** The requests of each attack. */
import { smallRecord } from "../test/support/small-record.js";

export const CONNECTIONS = 6;

/** Records and terms that the attacks use. */
export interface Target {
  readonly token: string;
  /** Ids of records that are as large as a deposit may be. */
  readonly large: readonly string[];
  /** Paths of terms whose structures are hard to draw. */
  readonly tangled: readonly string[];
}

/** Message that starts the attack of a process. */
export interface AttackOrder {
  readonly url: string;
  readonly name: string;
  readonly target: Target;
}

/** How often each status, or error of the connection, was met. */
export type Statuses = Readonly<Record<string, number>>;

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly text?: string;
  readonly isSigned?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

const get = (path: string): Sent => ({ method: "GET", path });
const brackets = (n: number): string => `${"(".repeat(1_500)}a${n}${")".repeat(1_500)}`;

function compared(large: readonly string[], n: number): string {
  const six = Array.from(
    { length: 6 },
    (_, k) => `ids=${large[(n * (1 + Math.floor(n / large.length)) + k) % large.length]}`,
  );
  return `/compare?${[...new Set(six)].join("&")}&unit.kd=nM&n=${n}`;
}

/** The n-th request of each attack; each has a URL of its own. */
const ATTACKS: readonly (readonly [name: string, request: (target: Target, n: number) => Sent])[] = [
  ["queries of 1,500 nested brackets", (_, n) => get(`/api/query?q=${brackets(n)}`)],
  ["the same in the query builder", (_, n) => get(`/search?build=1&q=${brackets(n)}`)],
  ["structures of 12 atoms, each bound to each", ({ tangled }, n) => get(tangled[n % tangled.length]!)],
  ["comparisons of six largest records", ({ large }, n) => get(compared(large, n))],
  ["pages of the largest records", ({ large }, n) => get(`/records/${large[n % large.length]}?n=${n}`)],
  ["result pages of the largest records", (_, n) => get(`/search?q=measurement+OR+x${n}&s=50`)],
  ["matches marked in the largest records", (_, n) => get(`/api/search/?q=m*+OR+x${n}&highlight=true&s=50`)],
  [
    "exports of the largest records",
    ({ large }, n) => ({
      ...get(`/api/records/mst/${large[n % large.length]}`),
      // Answers are kept by URL and `Accept`.
      headers: { accept: `application/ld+json, application/json;q=0.${n}1` },
    }),
  ],
  ["streams of all records", (_, n) => get(`/api/search/?q=measurement+OR+x${n}&format=csv`)],
  ["validation of bodies of 10 MB", (_, n) => post("/api/records/mst/?validate=only", n, 9_900_000)],
  ["deposits of bodies of 10 MB", (_, n) => post("/api/records/mst/", n, 9_900_000)],
  ["small deposits", (_, n) => ({ ...post("/api/records/mst/", n, 1), isSigned: true })],
  ["paths of 60,000 slashes", (_, n) => get(`${"/".repeat(60_000)}${n}`)],
];

function post(path: string, n: number, titleLength: number): Sent {
  const { metadata } = smallRecord({
    model: "mst",
    title: `${n} ${"a ".repeat(titleLength / 2)}`,
    rights: "open",
    isValid: true,
  });
  return { method: "POST", path, text: JSON.stringify({ metadata }), isSigned: true };
}

export const ATTACK_NAMES: readonly string[] = ATTACKS.map(([name]) => name);

/** Returns what makes the n-th request of an attack. */
export function requestsOf(name: string): (target: Target, n: number) => Sent {
  const [, request] = ATTACKS.find(([each]) => each === name)!;
  return request;
}
