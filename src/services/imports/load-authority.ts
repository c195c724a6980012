import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { OPERATOR } from "../../core/actor.js";
import { dumpFiles } from "../../formats/dumps/read-dump.js";
import { requireFile } from "../../formats/open-file.js";
import type { Authority } from "../../ports/authorities.js";
import type { LoadedDump } from "../../ports/loads.js";
import type { AuthorityLoad, AuthoritySummary, DumpReport } from "../api/imports.js";
import { findAuthority, findVocabulary } from "../context/find-model.js";
import { operatorUseCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import { explainOpening } from "../input/open-import.js";
import { readStarterTitles } from "./import-terms.js";
import { loadSource } from "./load-source.js";
import { placeInDump } from "./read-dump-terms.js";

/**
 * Loads a dump of an authority and records which dump it was. Loads all terms, or none if one is refused.
 * @throws PARAMETER_INVALID if the authority is unknown, or the dump cannot be read
 */
export const loadAuthority = operatorUseCase((deps) => {
  const { catalog, authorities, runWrite } = deps;
  return async ({
    authority: name,
    dump,
    vocabulary: target,
    only,
    release: givenRelease,
    onProgress,
    ...options
  }: AuthorityLoad): Promise<AuthoritySummary> => {
    const authority = findAuthority(authorities, name);
    const vocabulary = target ?? authority.vocabulary;
    const declaration = findVocabulary(catalog, vocabulary);
    if (only !== undefined && authority.picks === undefined) {
      throw badParameter("only", `The items of ${name} cannot be picked by id; load the whole dump.`);
    }
    if (only !== undefined && options.sync === true) {
      throw badParameter("sync", "A sync needs the whole dump: send it without --only, or load without --sync.");
    }
    const { sha256, bytes } = await describeDump(dump);
    let report: DumpReport = { leftOut: {}, stretches: [] };
    const source = { kind: "terms", file: dump, vocabulary, isPatch: true, authority: name } as const;
    const { summary, isLoaded } = await loadSource(deps, only === undefined ? source : { ...source, only }, {
      ...options,
      source: name,
      authority: { names: [...authorities.keys()], starterTitles: await readStarterTitles(declaration) },
      onRead: (read) => {
        report = read.dump ?? report;
        onProgress?.(read.bytesRead, bytes * authority.passes);
      },
    });
    const release = givenRelease ?? report.release;
    const optionalRelease = release === undefined ? {} : { release };
    if (isLoaded) {
      const file = basename(resolve(dump));
      const loadedDump = { vocabulary, authority: name, file, sha256, bytes, ...optionalRelease };
      await runWrite({ actor: OPERATOR }, (tx) => tx.dumps.keep({ ...loadedDump, loaded: tx.now }));
    }
    const refused = summary.refused.map(({ line, reason }) => ({ ...placeInDump(line, report.stretches), reason }));
    return { ...summary, refused, vocabulary, sha256, leftOut: report.leftOut, ...optionalRelease };
  };
});

/** Returns the digest and size of a dump, see `LoadedDump`. @throws PARAMETER_INVALID if it cannot be read */
async function describeDump(dump: string): Promise<Pick<LoadedDump, "sha256" | "bytes">> {
  try {
    const isFolder = (await stat(dump)).isDirectory();
    let bytes = 0;
    const digests: string[] = [];
    for (const { file, name } of await dumpFiles(dump)) {
      await requireFile(file);
      const hash = createHash("sha256");
      for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
        bytes += (chunk as Buffer).length;
        hash.update(chunk as Buffer);
      }
      digests.push(isFolder ? `${hash.digest("hex")}  ${name}\n` : hash.digest("hex"));
    }
    const sha256 = isFolder ? createHash("sha256").update(digests.join("")).digest("hex") : digests[0]!;
    return { sha256, bytes };
  } catch (error) {
    throw explainOpening(error, dump);
  }
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/**
 * Finds dumps by their file names in a folder and its subfolders: for each authority the best kind, and the last dump
 * of this kind.
 */
export const findDumps = operatorUseCase(
  ({ authorities }) =>
    async (folder: string): Promise<readonly { readonly authority: string; readonly dump: string }[]> => {
      const files = await dumpFiles(folder).catch((error: unknown) => {
        throw explainOpening(error, folder);
      });
      // Compares numbers in names by value: v2.10 comes after v2.8.
      const paths = files.map(({ file }) => file).sort(BY_NUMBER.compare);
      return [...authorities.values()].flatMap((authority) => {
        const dump = dumpOf(authority, paths);
        return dump === undefined ? [] : [{ authority: authority.name, dump }];
      });
    },
);

/** Lists the loaded dumps, by vocabulary and authority. */
export const listDumps = operatorUseCase(
  ({ store }) =>
    (): Promise<readonly LoadedDump[]> =>
      store.dumps.list(),
);

function dumpOf({ dumps }: Authority, paths: readonly string[]): string | undefined {
  for (const { name, isFolder = false } of dumps) {
    const path = paths.findLast((each) => name.test(basename(each)));
    if (path !== undefined) return isFolder ? dirname(path) : path;
  }
  return undefined;
}
