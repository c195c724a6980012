import { accessSync, closeSync, constants, openSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, resolve } from "node:path";

/**
 * Returns a sentence that names the owner of a file that this process cannot use, who runs it, and the cure; undefined
 * if the owner is not the reason.
 */
export function explainAccess(path: string): string | undefined {
  const uid = process.getuid?.();
  const place = nearestPlace(path);
  if (uid === undefined || uid === 0 || place === undefined || place.uid === uid) return undefined;
  const owner = userName(place.uid);
  const mode = (place.mode & 0o7777).toString(8).padStart(4, "0");
  return (
    `${place.path} belongs to ${owner} (mode ${mode}), and this command ` +
    `runs as ${ownName(uid)}. Run it as ${owner}, or give the folder with all its files to the user that runs the ` +
    `service (as root: chown -R ${ownName(uid)} ${dirname(path)}).`
  );
}

/** Pattern of the message of a file error, such as `EROFS: read-only file system, mkdir '/srv/data'`. */
const SYSTEM_ERROR = /^(E[A-Z]{3,}): [^,]*(?:, (?:\w+)(?: '([^']*)')?)?/;

/**
 * Returns a sentence that names the file of a failed system call, the reason and the cure; undefined if the error is of
 * another kind. It reads the message: errors of other threads arrive without their fields.
 *
 * @param fallback path to name if the system does not say which file it was
 */
export function explainFileError(error: unknown, fallback?: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, code = "", named] = SYSTEM_ERROR.exec(error.message) ?? [];
  const file = named ?? fallback;
  const path = file === undefined ? undefined : resolve(file);
  return REASONS[code]?.(path ?? "A file");
}

/** Throws an error if the path of an output file is a folder. */
export function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw new Error(isFolder(path));
}

const isFolder = (path: string): string => `${path} is a folder. Name a file.`;

/**
 * Returns why a file cannot be opened for writing, as `explainFileError`; undefined if it can be, or is missing. It
 * does not open the file itself: to close it again would release the locks that SQLite holds on it.
 */
export function explainOpen(file: string): string | undefined {
  try {
    closeSync(openSync(dirname(file), "r"));
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return explainFileError(error, file);
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) =>
    `${path} cannot be written: its disk is mounted read-only. Mount it for writing (as root: mount -o remount,rw ` +
    "PLACE), or name a folder on another disk.",
  ENOSPC: (path) => `${path} cannot be written: its disk is full (see df). Free space on it, or name another disk.`,
  EDQUOT: (path) =>
    `${path} cannot be written: the quota of ${runner()} is used up (see quota). Free space, or raise it.`,
  ENOTDIR: (path) => `${path} cannot be opened: ${fileAbove(path)} is a file, not a folder. Correct the path.`,
  EISDIR: isFolder,
  ENAMETOOLONG: (path) =>
    `${path.slice(0, 200)}... cannot be opened: a name has at most 255 bytes, and a path 4,095. Use a shorter one.`,
  ELOOP: (path) => `${path} cannot be opened: its symbolic links lead in a circle. Correct them.`,
  EMFILE: (path) =>
    `${path} cannot be opened: this process has as many files open as it may. Raise the limit (ulimit -n, or ` +
    "LimitNOFILE= of the unit; Bindery needs at least 1024).",
  ENFILE: (path) => `${path} cannot be opened: this machine has as many files open as it may (see fs.file-max).`,
  EACCES: denied,
  EPERM: denied,
};

function denied(path: string): string {
  const owner = explainAccess(path) ?? `${runner()} may not use it. See its rights and those of the folders above it.`;
  return `${path} cannot be opened: ${owner}`;
}

/** Returns the first file on a path where only a folder can be. */
function fileAbove(path: string): string {
  for (let place = dirname(path); place !== dirname(place); place = dirname(place)) {
    try {
      if (!statSync(place).isDirectory()) return place;
    } catch {
      // The folder above it says more.
    }
  }
  return basename(path);
}

const runner = (): string => ownName(process.getuid?.() ?? 0);

interface Place {
  readonly path: string;
  readonly uid: number;
  readonly mode: number;
}

/** Returns the file, or its folder if the file does not exist or cannot be seen. */
function nearestPlace(path: string): Place | undefined {
  for (const each of [path, dirname(path), dirname(dirname(path))]) {
    try {
      const { uid, mode } = statSync(each);
      return { path: each, uid, mode };
    } catch {
      // The folder above it says more.
    }
  }
  return undefined;
}

function ownName(uid: number): string {
  try {
    return userInfo().username;
  } catch {
    return `the user with the id ${uid}`;
  }
}

/** Returns the name of a user, as the list of the system has it. */
function userName(uid: number): string {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    const name = lines.map((line) => line.split(":")).find((parts) => parts[2] === String(uid))?.[0];
    if (name !== undefined) return name;
  } catch {
    // Not every system has the list.
  }
  return `the user with the id ${uid}`;
}
