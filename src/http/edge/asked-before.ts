/** Maximum number of hashes in a generation: 16,384 take about half a megabyte. */
const HASHES_MAX = 16_384;

/**
 * Returns a function that returns whether a text is one of the last texts: at least of the last 16,384 different ones,
 * at most of twice as many. Only hashes are stored, so in rare cases it was another text.
 */
export function makeAskedBefore(): (text: string) => boolean {
  let recent = new Set<number>();
  let older = new Set<number>();
  return (text) => {
    const hash = hashOf(text);
    if (recent.has(hash)) return true;
    if (recent.size === HASHES_MAX) {
      older = recent;
      recent = new Set();
    }
    recent.add(hash);
    return older.has(hash);
  };
}

/** Computes the FNV-1a hash (32 bits) of the units of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
