/** Runs work unless the same work is already running. @param key names the work */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes a SingleFlight: callers with the key of running work get its result or error. */
export function makeSingleFlight(): SingleFlight {
  const running = new Map<string, Promise<unknown>>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const runningWork = running.get(key);
    if (runningWork !== undefined) return runningWork as Promise<T>;
    const newWork = work();
    running.set(key, newWork);
    const remove = (): void => void running.delete(key);
    newWork.then(remove, remove);
    return newWork;
  };
}
