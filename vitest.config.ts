import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Its requests must be answered within a second each, whatever they ask. */
const TIMED = "test/faults/fuzz.test.ts";

/**
 * The files of a worker share its modules: none of them changes what another one sees, and to load everything anew for
 * each file took as long as the tests themselves.
 *
 * Five projects: `unit` runs the sources as they are and starts no worker thread; `whole` starts the built program
 * (globalSetup builds it); `timed` does, too, and runs last with nothing beside it. Two take minutes, and `npm test`
 * leaves them out: `faults` kills the program, damages its files and fills its disk (`npm run test:faults`); `browser`
 * reads its pages in Chromium (`npm run test:browser`).
 * `npx vitest run --project unit` is the quick one; TEST_LONG=1 adds rounds.
 */
export default defineConfig({
  test: {
    pool: "forks",
    isolate: false,
    globalSetup: ["./test/support/choose-seed.ts", "./test/support/make-temporary-folder.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Many tests wait for a server or a timer: there is work for one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/{contract,formats,models,query,tidy,support}/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{browser,contract,faults,formats,models,query,tidy,support}/**", "node_modules/**"],
          globalSetup: ["./scripts/build.mjs"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          exclude: [TIMED],
          globalSetup: ["./scripts/build.mjs"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["./scripts/build.mjs", "./test/browser/setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: [TIMED],
          globalSetup: ["./scripts/build.mjs"],
          testTimeout: 60_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
