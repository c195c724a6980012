import { rmSync } from "node:fs";

const unfinished = new Set<string>();

/** Removes `files` if the process ends before the returned function is called. */
export function noteUnfinished(files: readonly string[]): () => void {
  if (unfinished.size === 0) process.on("exit", removeAll);
  for (const file of files) unfinished.add(file);
  return () => {
    for (const file of files) unfinished.delete(file);
    if (unfinished.size === 0) process.off("exit", removeAll);
  };
}

function removeAll(): void {
  for (const file of unfinished) rmSync(file, { force: true });
}
