import { readdirSync, readFileSync } from "node:fs";

/** A file of the repository: its path from the root, and its lines. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

/** All TypeScript files under the folders, in a fixed order. */
export function typeScriptFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mts|tsx)$/.test(entry.name))
      .map((entry) => readSource(`${entry.parentPath}/${entry.name}`))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}

/** Text files of other kinds, by their endings. */
export function filesEndingWith(folder: string, ...endings: readonly string[]): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => readSource(`${entry.parentPath}/${entry.name}`))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns whether it is a test, or stands in the test folder. */
export function isTest(path: string): boolean {
  return path.startsWith("test/") || /\.(test|test-d)\.ts$/.test(path);
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  return { path, text, lines: text.split("\n") };
}
