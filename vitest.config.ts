import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { LongFilesFirst } from "./test/support/long-files-first.js";

/** They attack the service and time its answers, so nothing else may run meanwhile. */
const TIMED = ["test/faults/fuzz.test.ts", "test/faults/long-fuzz.test.ts"];

/** Tests of the sources as they are, which start no worker thread. */
const SOURCES = ["src/**/*.test.ts", "test/{engines,formats,models,query,relevance,tidy,support}/**/*.test.ts"];

/** Tests that start the built program. */
const PROGRAM = "test/{app,cli,client,docs,http,web}/**/*.test.ts";

/** Random records, requests, writes and searches, compared with a model or a reference evaluator. */
const RANDOM = [
  "test/model/*.test.ts",
  "test/differential/*.test.ts",
  "test/{http,models}/generated.test.ts",
  "test/{http/kept-answers,models/mutants}.test.ts",
];

/** The suites that need PostgreSQL or OpenSearch. */
const SERVICES = [
  "test/engines/{cluster,postgres}*.test.ts",
  "test/engines/{index-source,older-feeds,store-transfer}.test.ts",
  "test/http/two-nodes.test.ts",
  "src/engines/opensearch/{connection/encrypted,connection/search-client,search/ask-records}.test.ts",
];

/** Suites with an npm command of their own. */
const ELSEWHERE = [...configDefaults.exclude, ...SERVICES, ...RANDOM];

/** Tests of services, which are run on two nodes too ... */
const NODES = ["test/http/*.test.ts", "test/model/{life,living-terms}.test.ts"];
/** ... but for these. */
const ONE_NODE = [
  // They start the built program or the demo, or open the folder of a service beside it.
  ...["kept-answers", "model-changes", "personal-answers", "query-text"],
  // The proxy before the nodes answers requests that are not HTTP, and odd targets.
  ...["errors", "request-targets"],
  // Each node counts for itself.
  ...["limits", "metrics"],
  ...(process.env.TEST_LONG === "1"
    ? []
    : [
        // Minutes: each test starts services of its own, or asks thousands of times.
        ...["live-lookup", "living-terms", "paging"],
        // What they refuse or declare never reaches the store.
        ...["generated", "guidance", "hostile-bodies", "models", "parameters", "real-input", "seed-requests"],
        ...["text-limits", "validate-only"],
        // What queries mean; the contract suites compare the engines.
        ...["cited-identifiers", "pasted-words", "people"],
        // How rights and writes of terms look over HTTP; what the stores do of them is in the contract suites.
        ...["documented-answers", "draft-existence", "service", "vocabulary-writes"],
      ]),
].map((name) => `test/{http,model}/${name}.test.ts`);

/**
 * The files of a worker share its modules: none of them changes what another one sees, and to load everything anew for
 * each file took as long as the tests themselves.
 *
 * `npm test` runs the project `whole`: the sources as they are, and the built program (globalSetup builds it). Those of
 * its files that run sources only are the project `unit`, the quick one: `npx vitest run --project unit`. It is all in
 * one project because a worker runs files of one project only: another one would load everything anew.
 *
 * The other projects take minutes or need services, and have a command each, `npm run test:NAME`. `random` compares
 * random requests and searches with models. `cluster` has the suites of PostgreSQL and OpenSearch, and tests of HTTP on
 * two nodes with both. `faults` kills the program, damages its files, fills its disk and leaves it little memory;
 * `timed`, of the same command, attacks it while no other suite runs. `browser` reads its pages in Chromium. `examples`
 * does what the documentation shows. `package` installs the package. TEST_LONG=1 adds rounds.
 */
export default defineConfig({
  test: {
    pool: "forks",
    isolate: false,
    globalSetup: ["./test/support/choose-seed.ts", "./test/support/make-temporary-folder.ts"],
    // Nothing takes so long but what hangs: a test that is slow on a busy machine does not fail for it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Many tests wait for a server or a timer: there is work for one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: SOURCES,
          exclude: ELSEWHERE,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: [...SOURCES, PROGRAM],
          exclude: ELSEWHERE,
          globalSetup: ["./scripts/build.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "random",
          include: RANDOM,
          globalSetup: ["./scripts/build.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "package",
          include: ["test/package/**/*.test.ts"],
          globalSetup: ["./scripts/build.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          exclude: TIMED,
          globalSetup: ["./scripts/build.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "cluster",
          include: [...SERVICES, ...NODES],
          exclude: [...configDefaults.exclude, ...ONE_NODE],
          env: { TEST_STORE: "postgres" },
          globalSetup: ["./scripts/build.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./scripts/build.mjs", "./test/browser/setup.ts"],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "examples",
          include: ["test/examples/**/*.test.ts"],
          globalSetup: ["./scripts/build.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: TIMED,
          globalSetup: ["./scripts/build.mjs"],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
