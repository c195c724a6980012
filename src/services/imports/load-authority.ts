import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { OPERATOR } from "../../core/actor.js";
import { dumpFiles } from "../../formats/dumps/read-dump.js";
import { refuseNoFile } from "../../formats/open-file.js";
import type { LoadedDump } from "../../ports/dumps.js";
import type { DumpReport, ImportOperatorServices } from "../api/import-services.js";
import type { Deps } from "../context/deps.js";
import { findAuthority } from "../context/find-authority.js";
import { findVocabulary } from "../context/find-model.js";
import { badParameter } from "../input/issues.js";
import { explainOpening } from "../input/open-import.js";
import { placeOf } from "./dump-log.js";
import { noteLoad } from "./import-terms.js";
import { loadSource } from "./load-source.js";
import { readStarterTitles } from "./load-starters.js";

/** Loads a dump of an authority, as an import loads a file, and remembers which one it was. */
export function makeLoadAuthority(deps: Deps): ImportOperatorServices["loadAuthority"] {
  const { catalog, authorities, runWrite } = deps;
  return async ({ authority: name, dump, vocabulary: asked, only, release: given, onProgress, ...options }) => {
    const authority = findAuthority(authorities, name);
    const vocabulary = asked ?? authority.vocabulary;
    const declared = findVocabulary(catalog, vocabulary);
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
      authority: { names: [...authorities.keys()], starterTitles: await readStarterTitles(declared) },
      onRead: (read) => {
        report = read.dump ?? report;
        onProgress?.(read.bytesRead, bytes * authority.passes);
      },
    });
    const release = given ?? report.release;
    const said = release === undefined ? {} : { release };
    if (isLoaded) {
      await noteLoad(runWrite, vocabulary, summary);
      const loaded = { vocabulary, authority: name, file: basename(resolve(dump)), sha256, bytes, ...said };
      await runWrite({ actor: OPERATOR }, (tx) => tx.dumps.keep({ ...loaded, loaded: tx.now }));
    }
    const refused = summary.refused.map(({ line, reason }) => ({ ...placeOf(line, report.stretches), reason }));
    return { ...summary, refused, vocabulary, sha256, leftOut: report.leftOut, ...said };
  };
}

/** The digest of a dump and its size, see `LoadedDump`. @throws PARAMETER_INVALID where it cannot be read */
async function describeDump(dump: string): Promise<Pick<LoadedDump, "sha256" | "bytes">> {
  try {
    const isFolder = (await stat(dump)).isDirectory();
    let bytes = 0;
    const digests: string[] = [];
    for (const { file, name } of await dumpFiles(dump)) {
      await refuseNoFile(file);
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
