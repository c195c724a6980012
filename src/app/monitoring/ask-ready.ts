import { WARNED_TASKS } from "../../core/background.js";

/** How long a service may take to say how it is. */
const ANSWER_MS = 3_000;

/** What a service says of itself. */
export interface Answered {
  /** In one line: `ready`, or why it is not. */
  readonly says: string;
  /** What its operator should know, a line each. */
  readonly problems: readonly string[];
  /** The answer of `/readyz`; absent: there was none. */
  readonly ready?: unknown;
}

/** The members of `/readyz`, or of an error, that are read here. */
interface Ready {
  readonly status?: unknown;
  readonly message?: string;
  readonly warning?: string;
  readonly index?: { readonly warning?: string };
  readonly integrity_check?: { readonly state: string };
  readonly background_errors?: readonly { readonly task: string; readonly message: string; readonly times: number }[];
}

/** Asks a service how it is. @param url of its root, without a slash at the end */
export async function askReady(url: string): Promise<Answered> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const ready = (await response.json()) as Ready;
    return {
      says: response.ok ? "ready" : `not ready: ${ready.message ?? response.status}`,
      ...problemsOf(ready),
      ready,
    };
  } catch {
    return { says: `does not answer at ${url}/readyz`, problems: [] };
  }
}

function problemsOf({ warning, index, integrity_check: check, background_errors: errors = [] }: Ready) {
  // The warning says these.
  const others = errors.filter(({ task }) => warning === undefined || (task !== "writes" && !WARNED_TASKS.has(task)));
  const failing = others.map(({ task, message, times }) => `Background work fails: ${task} (${times}): ${message}`);
  const warnings = [warning, index?.warning].filter((each) => each !== undefined);
  const checked = check?.state === "running" ? ["The database is being checked."] : [];
  return { problems: [...warnings, ...checked, ...failing] };
}
