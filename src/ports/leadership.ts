/** Of all processes that serve one store, one at a time does what only one may do. */
export interface Leadership {
  /**
   * Waits until this process leads.
   * @param task what it leads in: `webhooks`, `search-index`
   * @param signal ends the waiting: then undefined is returned
   */
  lead(task: string, signal: AbortSignal): Promise<Lead | undefined>;
}

/** Somebody else may lead once this one is given back, or lost. */
export interface Lead {
  /** Aborted when the connection is lost that shows others that this process leads: what it does has to end. */
  readonly lost: AbortSignal;
  giveBack(): Promise<void>;
}
