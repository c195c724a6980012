import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Where the data of the project lie beside a checkout, or beside the folder of its worktrees. */
const PLACES = ["../shared/data", "../../shared/data"];

/** The real dumps, for long tests; undefined where they are not. */
export function sharedData(): string | undefined {
  return PLACES.map((place) => join(ROOT, place)).find((place) => existsSync(place));
}
