import { defineConfig } from "vitest/config";

/**
 * Two projects: `unit` runs the sources as they are and starts no worker thread; `whole` starts the built program
 * (globalSetup builds it). `npx vitest run --project unit` is the quick one; TEST_LONG=1 adds the long tests.
 */
export default defineConfig({
  test: {
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/{contract,models,query,tidy,support}/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{contract,models,query,tidy,support}/**", "node_modules/**"],
          globalSetup: ["./scripts/build.mjs"],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
