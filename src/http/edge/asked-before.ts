/** Hashes that one generation holds: 16,384 take about half a megabyte. */
const HASHES_MAX = 16_384;

/**
 * Tells whether a text was seen among the last ones: among the last 16,384 different ones at least, and twice as many
 * at most. Only hashes are remembered, so in rare cases another text was meant.
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

/** FNV-1a (32 bits) over the units of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
