import type { PrepareJob, PrepareServices } from "../../src/services/api/preparation.js";
import { makePrepareRecord, type PrepareDeps } from "../../src/services/metadata/prepare-record.js";

/** Prepares long bodies as another thread does, and lets a test act before the transaction that waits for them. */
export class PreparedElsewhere {
  /** What was prepared. */
  readonly prepared: PrepareJob["kind"][] = [];
  /** Runs once, between the next preparation and its transaction. */
  meanwhile: (() => Promise<unknown>) | undefined;

  /** For `openServices`. */
  readonly prepareElsewhere = (deps: PrepareDeps): PrepareServices["prepareRecord"] => {
    const prepare = makePrepareRecord(deps);
    return async (job) => {
      // As it passes between threads.
      const result = structuredClone(await prepare(structuredClone(job)));
      this.prepared.push(job.kind);
      const act = this.meanwhile;
      this.meanwhile = undefined;
      await act?.();
      return result;
    };
  };
}
