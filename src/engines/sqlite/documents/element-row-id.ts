/** Room for the elements of one record in the row ids of elements: `record << 20 | number`. */
export const ELEMENT_BITS = 20;

/** Row ids of elements lie above 2^32, where JavaScript has no bit operations, and below 2^53. */
const ROWS_PER_RECORD = 2 ** ELEMENT_BITS;

/** @param n number of the element; 0 is the record itself, which has no row */
export const elementRow = (record: number, n: number): number => record * ROWS_PER_RECORD + n;

export const recordOf = (row: number): number => Math.floor(row / ROWS_PER_RECORD);

export const numberOf = (row: number): number => row % ROWS_PER_RECORD;
