/** What orders items that match equally well: active first, larger prior, shorter title, id byte by byte. */
export interface RankKey {
  /** 0 active, 1 deprecated. */
  readonly status: number;
  readonly prior: number;
  readonly length: number;
  readonly ext: string;
}

/** The same of an item that so many published records cite. */
export interface CitedKey extends RankKey {
  readonly cited: number;
}

export function compareRank(a: RankKey, b: RankKey): number {
  return a.status - b.status || b.prior - a.prior || a.length - b.length || compareBytes(a.ext, b.ext);
}

/** Active first, then most cited, then by rank. */
export function compareCited(a: CitedKey, b: CitedKey): number {
  return a.status - b.status || b.cited - a.cited || compareRank(a, b);
}

/** Order of two texts by their UTF-8 bytes, which is that of code points. */
export function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
