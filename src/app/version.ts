import { readFileSync } from "node:fs";

/** The version of the package, as its package.json says. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
