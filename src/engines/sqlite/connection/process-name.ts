import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** States in `/proc/<pid>/stat` of a process that has ended but was not yet collected or removed. */
const ENDED = new Set(["Z", "X", "x"]);

/** Tolerance for a start time that is computed from the clock, whose corrections shift it. */
const START_TOLERANCE_S = 2;

/** State and start of a process as the system reports them; `start` is in clock ticks since the boot. */
interface ProcessStat {
  readonly state: string;
  readonly start: string;
}

/**
 * Returns whether the process of this name still runs. A zombie process does not run.
 * @returns undefined for a process of another machine or container
 */
export function isRunning(name: string): boolean | undefined {
  const [host, pid, start, ticks] = name.split(" ");
  const [ourHost, ourPid, ourStart, ourTicks] = PROCESS_NAME.split(" ");
  if (host !== ourHost) return undefined;
  if (pid === ourPid) {
    // The first process of a container has the same id after each start.
    if (isTicks(ticks) && isTicks(ourTicks)) return ticks === ourTicks;
    return Math.abs(Number(start) - Number(ourStart)) <= START_TOLERANCE_S;
  }
  if (!hasProcess(Number(pid))) return false;
  const stat = readProcessStat(Number(pid));
  if (stat === undefined) return true;
  return !ENDED.has(stat.state) && (!isTicks(ticks) || ticks === stat.start);
}

/** Returns whether the name has clock ticks. Names of an earlier version have none and may end in a word. */
function isTicks(ticks: string | undefined): boolean {
  return ticks !== undefined && /^\d+$/.test(ticks);
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Reads `/proc/<pid>/stat`, see proc_pid_stat(5): `pid (name) state ppid ...`. The name may hold any character; `start`
 * is field 22.
 */
function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const start = rest[18];
    return state === undefined || start === undefined ? undefined : { state, start };
  } catch {
    return undefined;
  }
}

/**
 * Name of this process among all that may open the file: host, process id, start in seconds since 1970, and the start
 * in clock ticks if the system has `/proc`. A process id alone may be reused.
 */
export const PROCESS_NAME = [
  hostname(),
  process.pid,
  Math.round(Date.now() / 1000 - process.uptime()),
  readProcessStat(process.pid)?.start ?? "-",
].join(" ");
