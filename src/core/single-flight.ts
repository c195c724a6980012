/** Runs work unless the same work is already running. @param key names the work */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes a function that runs equal work once: callers that arrive while it runs get the same result or error. */
export function makeSingleFlight(): SingleFlight {
  const running = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = running.get(key);
    if (known !== undefined) return known as Promise<T>;
    const started = work();
    running.set(key, started);
    const remove = (): void => void running.delete(key);
    started.then(remove, remove);
    return started;
  };
}
