import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

/**
 * Returns a sentence that names the owner of a file that this process cannot use, who runs it, and the cure; undefined
 * if the owner is not the reason.
 */
export function explainAccess(path: string): string | undefined {
  const uid = process.getuid?.();
  const place = nearestPlace(path);
  if (uid === undefined || uid === 0 || place === undefined || place.uid === uid) return undefined;
  const owner = nameOf(place.uid);
  const mode = (place.mode & 0o7777).toString(8).padStart(4, "0");
  return (
    `${place.path} belongs to ${owner} (mode ${mode}), and this command ` +
    `runs as ${ownName(uid)}. Run it as ${owner}, or give the folder with all its files to the user that runs the ` +
    `service (as root: chown -R ${ownName(uid)} ${dirname(path)}).`
  );
}

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
function nameOf(uid: number): string {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    const name = lines.map((line) => line.split(":")).find((parts) => parts[2] === String(uid))?.[0];
    if (name !== undefined) return name;
  } catch {
    // Not every system has the list.
  }
  return `the user with the id ${uid}`;
}
