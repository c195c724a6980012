/** Room for the elements of one record in the row ids of elements: `record << 20 | number`. */
export const ELEMENT_BITS = 20;

/** Row ids of elements lie above 2^32, where JavaScript has no bit operations, and below 2^53. */
const ROWS_PER_RECORD = 2 ** ELEMENT_BITS;

export const elementRow = (record: number, n: number): number => record * ROWS_PER_RECORD + n;

export const recordOf = (row: number): number => Math.floor(row / ROWS_PER_RECORD);

export const numberOf = (row: number): number => row % ROWS_PER_RECORD;

/** Where a group of a query looks: elements of this path. */
export interface ElementPlace {
  readonly path: number;
  /** The path and all paths below it. */
  readonly under: ReadonlySet<number>;
}

/**
 * Number of the element at the place that element `n` of a record lies in or is; 0 if there is none. Elements are
 * numbered in document order, so it is the last one at that path which is not after `n`.
 * @param shape path ids of the elements, u16 each
 */
export function liftElement(shape: Buffer, n: number, { path, under }: ElementPlace): number {
  if (n === 0 || !under.has(pathAt(shape, n))) return 0;
  let at = n;
  while (at > 0 && pathAt(shape, at) !== path) at--;
  return at;
}

const pathAt = (shape: Buffer, n: number): number => shape.readUInt16LE((n - 1) * 2);

/** Ascending, each once. */
export function sortedRows(rows: readonly number[]): number[] {
  return Array.from(Float64Array.from(new Set(rows)).sort());
}

/** The records of ascending elements, each once. */
export function recordsOf(rows: readonly number[]): number[] {
  const records: number[] = [];
  for (const row of rows) {
    const record = recordOf(row);
    if (records.at(-1) !== record) records.push(record);
  }
  return records;
}
