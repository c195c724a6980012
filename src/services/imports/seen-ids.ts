/** Slots at first; the table doubles when it is two thirds full. */
const SLOTS_MIN = 1024;

/**
 * Remembers ids and the lines on which they stood, in twelve bytes each: an import may have millions. Only a 64-bit
 * hash of an id is kept; among ten million ids two share one with a chance of three in a million.
 */
export class SeenIds {
  private count = 0;
  private slots = SLOTS_MIN;
  /** Two halves of the hash and the line per slot; line 0 is an empty slot. */
  private table = new Uint32Array(SLOTS_MIN * 3);

  /** The line on which the id stood before, or undefined: then it stands on this `line` (from 1) now. */
  add(id: string, line: number): number | undefined {
    if (this.count * 3 > this.slots * 2) this.grow();
    const [high, low] = hash(id);
    const at = this.find(high, low);
    const known = this.table[at + 2]!;
    if (known > 0) return known;
    this.put(at, high, low, line);
    return undefined;
  }

  private find(high: number, low: number): number {
    let slot = low & (this.slots - 1);
    for (;;) {
      const at = slot * 3;
      const isFree = this.table[at + 2] === 0;
      if (isFree || (this.table[at] === high && this.table[at + 1] === low)) return at;
      slot = (slot + 1) & (this.slots - 1);
    }
  }

  private put(at: number, high: number, low: number, line: number): void {
    this.table[at] = high;
    this.table[at + 1] = low;
    this.table[at + 2] = line;
    this.count++;
  }

  private grow(): void {
    const old = this.table;
    this.slots *= 2;
    this.table = new Uint32Array(this.slots * 3);
    this.count = 0;
    for (let at = 0; at < old.length; at += 3) {
      const [high, low, line] = [old[at]!, old[at + 1]!, old[at + 2]!];
      if (line > 0) this.put(this.find(high, low), high, low, line);
    }
  }
}

/** cyrb53 by bryc (public domain), both halves whole. */
function hash(text: string): [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}
