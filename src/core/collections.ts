/**
 * Appends all elements to the list. Unlike `list.push(...more)`, it takes any number of elements: each element of a
 * spread is an argument of the call, and some hundred thousand arguments overflow the stack (a RangeError).
 */
export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const element of more) list.push(element);
}

/** Returns the greatest of any number of numbers; -Infinity if there are none. */
export function greatestOf(numbers: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

/** Returns the least number; Infinity if there are none. */
export function leastOf(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < least) least = number;
  return least;
}

/**
 * Returns a function that computes a value for a named object, such as a model, on first use, and caches it by name.
 */
export function cacheByName<Named extends { readonly name: string }, Value>(
  compute: (named: Named) => Value,
): (named: Named) => Value {
  const cache = new Map<string, Value>();
  return (named) => {
    const cached = cache.get(named.name);
    if (cached !== undefined) return cached;
    const value = compute(named);
    cache.set(named.name, value);
    return value;
  };
}

/** Returns the values by their keys, each list in the order of the values. */
export function groupBy<Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
