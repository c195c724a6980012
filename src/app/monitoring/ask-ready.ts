import { WARNED_TASKS } from "../../core/background.js";

/** Limit for the answer of a service. */
const ANSWER_MS = 3_000;

/** The answer of a service about its state. */
export interface ServiceAnswer {
  /** One line: `ready`, or the reason why the service is not ready. */
  readonly says: string;
  /** Problems for the operator, one line each. */
  readonly problems: readonly string[];
  /** Body of `/readyz`; absent if there was no answer. */
  readonly ready?: unknown;
}

/** Members of the body of `/readyz`, or of an error, that are used here. */
interface ReadyBody {
  readonly status?: unknown;
  readonly message?: string;
  readonly warning?: string;
  readonly index?: { readonly warning?: string };
  readonly integrity_check?: { readonly state: string };
  readonly background_errors?: readonly { readonly task: string; readonly message: string; readonly times: number }[];
}

/** Asks a service for its state. @param url URL of its root, without a final slash */
export async function askReady(url: string): Promise<ServiceAnswer> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const ready = (await response.json()) as ReadyBody;
    return {
      says: response.ok ? "ready" : `not ready: ${ready.message ?? response.status}`,
      ...listProblems(ready),
      ready,
    };
  } catch {
    return { says: `does not answer at ${url}/readyz`, problems: [] };
  }
}

function listProblems({ warning, index, integrity_check: check, background_errors: errors = [] }: ReadyBody) {
  // The warning already contains the errors of these tasks.
  const otherErrors = errors.filter(
    ({ task }) => warning === undefined || (task !== "writes" && !WARNED_TASKS.has(task)),
  );
  const failures = otherErrors.map(
    ({ task, message, times }) => `Background work fails: ${task} (${times}): ${message}`,
  );
  const warnings = [warning, index?.warning].filter((each) => each !== undefined);
  const checkLines = check?.state === "running" ? ["The database is being checked."] : [];
  return { problems: [...warnings, ...checkLines, ...failures] };
}
