import { expect, it } from "vitest";
import { type BinderyOptions, startBindery } from "../support/bindery.js";
import { eventually } from "../support/deposit.js";
import { type Service, startService } from "../support/service.js";

const ITEM = "/api/vocabularies/organisms/taxid:562";

async function withService(
  start: (options: BinderyOptions) => Promise<Pick<Service, "url" | "dispose">>,
  env: NonNullable<BinderyOptions["env"]>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const bindery = await start({ env });
  try {
    await work(bindery.url);
  } finally {
    await bindery.dispose();
  }
}

/** The sum of the samples of a metric whose labels hold such texts. */
function sum(text: string, name: string, ...labels: string[]): number {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const wanted = lines.filter((line) => labels.every((label) => line.includes(label)));
  return wanted.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

it("counts requests by route and status, and sizes of files", () =>
  withService(startBindery, {}, async (url) => {
    for (let i = 0; i < 3; i++) await fetch(`${url}${ITEM}`);
    await fetch(`${url}/api/vocabularies/organisms/nothing`);
    const answer = await fetch(`${url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    const route = 'route="/api/vocabularies/:vocabulary/:id"';
    expect(sum(text, "bindery_http_request_seconds_count", route, 'status="200"')).toBe(3);
    expect(sum(text, "bindery_http_request_seconds_count", route, 'status="404"')).toBe(1);
    expect(sum(text, "bindery_file_bytes", 'file="database"')).toBeGreaterThan(0);
    // It is emptied when nothing was written for a while, so any size is right.
    expect(text).toMatch(/^bindery_file_bytes\{file="log"\} \d+$/m);
    expect(text).toMatch(/^bindery_calls_waiting\{thread="writer"\} \d+$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).not.toContain("taxid");
  }));

it("is for this machine only, unless it is told otherwise", async () => {
  const through = { headers: { "x-forwarded-for": "192.0.2.1" } };
  await withService(startService, {}, async (url) => {
    expect((await fetch(`${url}/metrics`, through)).status).toBe(404);
    expect(await (await fetch(`${url}/api/openapi.json`)).text()).not.toContain("/metrics");
  });
  await withService(startService, { BINDERY_METRICS: "everyone" }, async (url) => {
    expect((await fetch(`${url}/metrics`, through)).status).toBe(200);
  });
  await withService(startService, { BINDERY_METRICS: "off" }, async (url) => {
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

it("is for no script of another site", () =>
  withService(startBindery, {}, async (url) => {
    const origin = "https://elsewhere.example";
    const corsOf = async (path: string, init: RequestInit): Promise<string | null> =>
      (await fetch(url + path, init)).headers.get("access-control-allow-origin");
    const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "GET" } };
    for (const path of ["/metrics", "/metrics/", "/metrics?x=1", "/%6detrics", "/%6Detric%73/"]) {
      for (const init of [{ headers: { origin } }, { method: "POST", headers: { origin } }, preflight]) {
        expect(await corsOf(path, init), path).toBeNull();
      }
    }
    expect(await corsOf("/api", preflight)).toBe("*");
  }));

it("sums the requests of all processes", () =>
  withService(startBindery, { BINDERY_WORKERS: "2" }, async (url) => {
    const close = { headers: { connection: "close" } };
    for (let i = 0; i < 20; i++) await fetch(`${url}${ITEM}`, close);
    await eventually(async () => {
      const text = await (await fetch(`${url}/metrics`, close)).text();
      expect(sum(text, "bindery_http_request_seconds_count", "/:vocabulary/:id", 'status="200"')).toBe(20);
    });
  }));
