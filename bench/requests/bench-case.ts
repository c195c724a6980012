/** One kind of request, in many variants that are sent in turn. */
export interface BenchCase {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly paths: readonly string[];
  /** Sent instead of the paths: another one each time, so that no kept answer is sent back. */
  readonly nextPath?: (() => string) | undefined;
  /** Sent in turn by a POST. */
  readonly bodies?: readonly string[];
  /** Sent instead of the bodies: another one each time. */
  readonly nextBody?: (() => string) | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests under way at once. */
  readonly connections: number;
  /** Requests per second to reach, as a share of those of a bare "hello". */
  readonly reach?: number;
  /** Milliseconds to reach, in the median, of one request after the other. */
  readonly reachAlone?: number;
}

/** Enough readers to keep the service busy, few enough that waiting in line is not all that p99 says. */
const READERS = 8;

/** Different requests of one kind: few enough that all their answers are kept. */
export const VARIANTS = 64;

/** Ranks of words among all, see `zipfText`: in nearly every record, and in one of some hundred. */
export const COMMON = 0;
export const MIDDLE = 60;
export const RARE = 3_000;

type More = Partial<Pick<BenchCase, "nextPath" | "headers" | "reach" | "reachAlone">> & { readonly variants?: number };

/** The same requests again and again. */
export function get(name: string, path: (n: number) => string, { variants = VARIANTS, ...more }: More = {}): BenchCase {
  const paths = Array.from({ length: variants }, (_, n) => path(n));
  return { name, method: "GET", paths, connections: READERS, ...more };
}

/** What a request is to reach when it is repeated, and when it is varied: see `BenchCase`. */
export interface Reach {
  readonly repeated?: number;
  readonly varied?: number;
  readonly alone?: number;
}

/** The same few requests again and again, whose answers are kept, and the same with a new URL each time. */
export function both(name: string, path: (n: number) => string, reach: Reach = {}): readonly BenchCase[] {
  const { repeated, varied, alone } = reach;
  return [
    get(`${name}, repeated`, path, { ...(repeated !== undefined && { reach: repeated }) }),
    get(`${name}, varied`, path, {
      nextPath: distinctPaths(path),
      ...(varied !== undefined && { reach: varied }),
      ...(alone !== undefined && { reachAlone: alone }),
    }),
  ];
}

/**
 * Each path is sent once: reads by id take the next id, and searches a language that no title has, whose answers are
 * the same but for their links.
 * @param variants number of different searches; infinity: the next one each time
 */
export function distinctPaths(path: (n: number) => string, variants = VARIANTS): () => string {
  let sent = 0;
  return () => {
    const n = sent++;
    const byId = path(n);
    return byId.includes("?") ? `${path(n % variants)}&lang=qaa-${n.toString(36)}` : byId;
  };
}
