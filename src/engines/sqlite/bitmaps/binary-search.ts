/** Index of the first of some ascending values that is not below `value`. */
export function lowerBoundOfValue(values: ArrayLike<number>, value: number): number {
  return firstIndex(values, (other) => other >= value);
}

/** Index of the first of some ascending values that is above `value`. */
export function upperBoundOfValue(values: ArrayLike<number>, value: number): number {
  return firstIndex(values, (other) => other > value);
}

/** @param isReached false for a first part of the values, true for all after it */
function firstIndex(values: ArrayLike<number>, isReached: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(values[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
