/**
 * What `list.push(...more)` and `Math.max(...numbers)` do, for any number of elements: each element of a spread is an
 * argument of the call, and some hundred thousand arguments overflow the stack (a RangeError).
 */

/** Appends all elements to the list. */
export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const element of more) list.push(element);
}

/** The greatest of the numbers; -Infinity where there are none. */
export function greatestOf(numbers: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

/** The least of the numbers; Infinity where there are none. */
export function leastOf(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < least) least = number;
  return least;
}
