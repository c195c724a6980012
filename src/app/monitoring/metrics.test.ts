import { setTimeout as sleep } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { watchBlocks } from "./metrics.js";

it("counts and logs the blocks of a thread", async () => {
  const registry = new Registry();
  const lines: number[] = [];
  const end = watchBlocks(registry, { debug: ({ ms }: { ms: number }) => void lines.push(ms) });
  await sleep(30);
  lines.length = 0;
  const until = performance.now() + 150;
  while (performance.now() < until);
  await sleep(30);
  end();
  expect(Math.max(...lines)).toBeGreaterThan(100);
  expect(await registry.metrics()).toMatch(/^bindery_http_blocked_seconds_count [1-9]/m);
  expect(await registry.metrics()).toMatch(/^bindery_http_blocked_seconds_bucket\{le="0.1"\} \d+$/m);
});
