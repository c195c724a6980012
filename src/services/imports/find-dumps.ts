import { basename, dirname } from "node:path";
import { dumpFiles } from "../../formats/dumps/read-dump.js";
import type { Authority } from "../../ports/authorities.js";
import type { ImportOperatorServices } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { explainOpening } from "../input/open-import.js";

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** Finds the dumps of authorities in a folder; of several of one authority the best kind, and of these the last one. */
export function makeFindDumps({ authorities }: Deps): ImportOperatorServices["findDumps"] {
  return async (folder) => {
    const files = await dumpFiles(folder).catch((error: unknown) => {
      throw explainOpening(error, folder);
    });
    // By the numbers in their names: v2.10 comes after v2.8.
    const paths = files.map(({ file }) => file).sort(BY_NUMBER.compare);
    return [...authorities.values()].flatMap((authority) => {
      const dump = dumpOf(authority, paths);
      return dump === undefined ? [] : [{ authority: authority.name, dump }];
    });
  };
}

function dumpOf({ dumps }: Authority, paths: readonly string[]): string | undefined {
  for (const { name, isFolder = false } of dumps) {
    const path = paths.findLast((each) => name.test(basename(each)));
    if (path !== undefined) return isFolder ? dirname(path) : path;
  }
  return undefined;
}
