import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../cli/run-cli.js";
import { runCommand, startBindery } from "../support/bindery.js";
import type { SearchBody } from "../support/http-client.js";

it("`bindery demo` loads the examples beside a running server, which answers each line that is printed", async () => {
  const bindery = await startBindery();
  onTestFinished(() => bindery.dispose());
  const env = { BINDERY_DATA: bindery.data, BINDERY_PORT: new URL(bindery.url).port };
  const { code, stdout, stderr } = await runProgram(["demo"], env);
  expect(code, stderr).toBe(0);
  const [, records] = /Loaded \d+ of \d+ terms and (\d+) of \1 records/.exec(stdout) ?? [];
  const all = await bindery.client.get<SearchBody>("/api/search/?facets=none&allversions=true");
  expect(all.body.hits.total).toBe(Number(records));

  const lines = stdout.split("\n").filter((line) => line.includes("curl "));
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    const answer = JSON.parse(
      (await runCommand("bash", ["-c", line.replace("curl ", "curl -s ")])).stdout,
    ) as SearchBody;
    expect(answer.hits.total, line).toBeGreaterThan(0);
    expect(answer.query.fallback, line).toBe(false);
  }
});
