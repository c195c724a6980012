import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** States of `/proc/<pid>/stat` in which a process has ended: nobody has collected it yet, or it is being removed. */
const ENDED = new Set(["Z", "X", "x"]);

/** A start that is computed from the clock wavers by the clock's corrections. */
const START_TOLERANCE_S = 2;

/** What the system says of a process; `start` is in clock ticks since the boot. Absent where it cannot say. */
interface Stat {
  readonly state: string;
  readonly start: string;
}

/**
 * Does the process of this name still run? A zombie does not: it has ended, and only its parent has not asked how.
 * @returns undefined for a process of another machine (or container), of which nothing is known here
 */
export function isRunning(name: string): boolean | undefined {
  const [host, pid, start, ticks] = name.split(" ");
  const [ourHost, ourPid, ourStart, ourTicks] = PROCESS_NAME.split(" ");
  if (host !== ourHost) return undefined;
  if (pid === ourPid) {
    // A container's first process has the same number after each start.
    if (isKnown(ticks) && isKnown(ourTicks)) return ticks === ourTicks;
    return Math.abs(Number(start) - Number(ourStart)) <= START_TOLERANCE_S;
  }
  if (!hasProcess(Number(pid))) return false;
  const stat = statOf(Number(pid));
  if (stat === undefined) return true;
  return !ENDED.has(stat.state) && (!isKnown(ticks) || ticks === stat.start);
}

/** Names that an earlier version wrote have no ticks, and may end in a word. */
function isKnown(ticks: string | undefined): boolean {
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

/** proc_pid_stat(5): `pid (name) state ppid ...`, where the name may hold anything; `start` is the 22nd field. */
function statOf(pid: number): Stat | undefined {
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
 * Names this process among all that may open the file: host, process id, start in seconds since 1970, and, where the
 * system keeps a table of processes, the start as it stands there. A process id alone is used again.
 */
export const PROCESS_NAME = [
  ...[hostname(), process.pid, Math.round(Date.now() / 1000 - process.uptime())],
  statOf(process.pid)?.start ?? "-",
].join(" ");
