/** So many pieces of work are under way at most: one is made by this process while the index takes the one before. */
const AT_ONCE = 2;

/**
 * Begins each piece of work while the one before is still under way.
 * @param onDone hears of each in their order, so that it can note how far all of it is
 * @throws the first error, when no work is under way any more
 */
export async function overlap<T>(
  works: AsyncIterable<() => Promise<T>>,
  onDone: (result: T) => Promise<void> | void,
): Promise<void> {
  const under: Promise<T>[] = [];
  try {
    for await (const begin of works) {
      const work = begin();
      // It is looked at when those before it are done.
      work.catch(() => undefined);
      under.push(work);
      if (under.length === AT_ONCE) await onDone(await under.shift()!);
    }
    while (under.length > 0) await onDone(await under.shift()!);
  } finally {
    await Promise.allSettled(under);
  }
}
