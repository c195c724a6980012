import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fail } from "../../core/errors.js";
import { type BackgroundReport, makeReporter } from "./background-reports.js";
import { keepState, type StateKeeper } from "./keep-state.js";

const FULL = fail("STORE_UNAVAILABLE", { reason: "the disk is full" }, new Error("SQLITE_FULL"));

describe("makeReporter", () => {
  let reports: BackgroundReport[];

  beforeEach(() => {
    vi.useFakeTimers();
    reports = [];
  });
  afterEach(() => vi.useRealTimers());

  it("sends the first of equal errors at once, and the number of others once a second", () => {
    const { onBackgroundError } = makeReporter((report) => reports.push(report));
    for (let i = 0; i < 5_000; i++) onBackgroundError("index-merge", FULL);
    expect(reports).toMatchObject([{ kind: "error", task: "index-merge", times: 1 }]);
    vi.advanceTimersByTime(1_000);
    expect(reports).toMatchObject([{ times: 1 }, { times: 4_999 }]);
    vi.advanceTimersByTime(10_000);
    expect(reports).toHaveLength(2);
  });

  it("sends another error, and the first success, at once and in order", () => {
    const { onBackgroundError, onBackgroundSuccess } = makeReporter((report) => reports.push(report));
    onBackgroundSuccess("index-merge");
    onBackgroundSuccess("index-merge");
    onBackgroundError("index-merge", FULL);
    onBackgroundError("index-merge", FULL);
    onBackgroundError("index-merge", new Error("another one"));
    onBackgroundError("webhooks", FULL);
    onBackgroundSuccess("index-merge");
    const sequence = reports.map((report) => `${report.kind} ${"task" in report && report.task}`);
    const merge = ["success", "error", "error", "error"].map((kind) => `${kind} index-merge`);
    expect(sequence).toEqual([...merge, "error webhooks", "success index-merge"]);
  });
});

describe("keepState", () => {
  let lines: Record<string, unknown>[];
  let registry: Registry;
  let keeper: StateKeeper;
  let now: number;

  beforeEach(() => {
    lines = [];
    registry = new Registry();
    now = Date.parse("2026-01-01T00:00:00Z");
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    keeper = keepState(logger, registry, () => now);
  });

  /** Makes a reporter of the writer. */
  const reporter = () => makeReporter((report) => keeper.report("writer", report));
  const failTask = (times = 1): void => {
    for (let i = 0; i < times; i++) reporter().onBackgroundError("index-merge", FULL);
  };

  it("logs an error with its cause, counts it, and shows it until the task succeeds", async () => {
    failTask();
    now += 5_000;
    failTask();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 50, task: "index-merge", source: "writer" });
    expect(lines[0]!.msg).toMatch(/^Merging segments of the full-text index failed: .*the disk is full/);
    expect(JSON.stringify(lines[0]!.err)).toContain("SQLITE_FULL");
    expect(await registry.metrics()).toMatch(/^bindery_background_errors_total\{task="index-merge"\} 2$/m);
    expect(await registry.metrics()).toMatch(/^bindery_background_errors_total\{task="webhooks"\} 0$/m);
    const failure = { task: "index-merge", source: "writer", message: FULL.message, times: 2 };
    const [first, last] = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:05.000Z"];
    expect(keeper.state().failures).toEqual([{ ...failure, first, last }]);
    reporter().onBackgroundSuccess("index-merge");
    expect(keeper.state().failures).toEqual([]);
    expect(lines.at(-1)!.msg).toBe("Merging segments of the full-text index works again.");
  });

  it("logs a repeated error once a minute, with its count", () => {
    failTask(1_000);
    expect(lines).toHaveLength(1);
    now += 60_000;
    failTask();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ times: 1_000 });
  });

  it("shows the message of an error outside of the catalogue only in the log", () => {
    reporter().onBackgroundError("audit-log", new Error("no such table: audit"));
    expect(JSON.stringify(keeper.state())).not.toContain("table");
    expect(lines[0]!.msg).toContain("no such table: audit");
  });

  it("counts requests to authorities, and shows which authority did not answer the last one", async () => {
    const { onLookup, onBackgroundError, onBackgroundSuccess } = reporter();
    onLookup("ror", "found");
    makeReporter((report) => keeper.report("search thread", report)).onLookup("ror", "found");
    onLookup("ncbi", "unavailable");
    onBackgroundError(
      "lookup-ncbi",
      fail("LOOKUP_UNAVAILABLE", { authority: "NCBI", reason: "does not answer", seconds: 9 }),
    );
    expect(await registry.metrics()).toContain('bindery_lookups_total{authority="ror",outcome="found"} 2');
    expect(await registry.metrics()).toContain('bindery_lookups_total{authority="ror",outcome="missing"} 0');
    expect(await registry.metrics()).toContain('bindery_lookup_unavailable{authority="ncbi"} 1');
    expect(await registry.metrics()).toContain('bindery_lookup_unavailable{authority="ror"} 0');
    expect(keeper.state().failures).toMatchObject([{ message: expect.stringMatching(/^NCBI does not answer\./) }]);
    onBackgroundSuccess("lookup-ncbi");
    expect(await registry.metrics()).toContain('bindery_lookup_unavailable{authority="ncbi"} 0');
  });

  it("shows the reason for refused writes and the cure until writes work again", async () => {
    expect(await registry.metrics()).toMatch(/^bindery_writes_refused 0$/m);
    const { onBackgroundError, onBackgroundSuccess } = reporter();
    onBackgroundError("writes", fail("STORE_UNAVAILABLE", { reason: "the disk is full", cure: "Free room." }));
    expect(keeper.state()).toMatchObject({
      refusedWrites: { reason: "the disk is full", cure: "Free room." },
      failures: [{ task: "writes", message: FULL.message }],
    });
    expect(lines.at(-1)!.msg).toMatch(/^Writing into the store failed: .*the disk is full.* Free room\.$/);
    expect(await registry.metrics()).toMatch(/^bindery_writes_refused 1$/m);
    onBackgroundSuccess("writes");
    expect(keeper.state().refusedWrites).toBeUndefined();
    expect(await registry.metrics()).toMatch(/^bindery_writes_refused 0$/m);
  });

  it("adds up the memory of caches of threads with the same name", async () => {
    const usage = { name: "views", budget: 1_000 } as const;
    keeper.report("search thread", { kind: "caches", thread: undefined, usage: [{ ...usage, bytes: 100 }] });
    keeper.report("process 2: search thread", { kind: "caches", thread: undefined, usage: [{ ...usage, bytes: 20 }] });
    keeper.report("search thread", { kind: "caches", thread: undefined, usage: [{ ...usage, bytes: 300 }] });
    keeper.report("writer thread", { kind: "caches", thread: "preparing", usage: [{ ...usage, bytes: 7 }] });
    expect(await registry.metrics()).toContain('bindery_cache_bytes{cache="views",thread="preparing"} 7');
    expect(await registry.metrics()).toContain('bindery_cache_bytes{cache="views",thread="search"} 320');
    expect(await registry.metrics()).toContain('bindery_cache_limit_bytes{cache="views",thread="search"} 2000');
  });

  it("distinguishes errors of different threads", () => {
    failTask();
    keeper.report("process 2: loader thread", { kind: "success", task: "index-merge" });
    expect(keeper.state().failures).toHaveLength(1);
  });
});
