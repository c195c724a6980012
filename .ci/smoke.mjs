/**
 * Does what the README tells a newcomer: starts the service with `npm start`, asks it, deposits with the command line
 * beside it, and stops it. Ends with 0 when everything was as it should be. Run in a checkout after `npm ci`.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS = 60_000;
const STOP_MS = 30_000;

const data = mkdtempSync(join(tmpdir(), "bindery-smoke-"));
const env = { ...process.env, BINDERY_PORT: "0", BINDERY_DATA: data };
const server = spawn("npm", ["start"], { env, stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => server.once("close", (code, signal) => resolve(signal ?? code)));
const lines = [];

try {
  const base = await readAddress();
  for (const path of ["/", "/healthz", "/readyz", "/api/openapi.json", "/api/docs", "/api/search/"]) await get(path);
  const vocabularies = await get("/api/vocabularies");
  check(vocabularies.hits.total > 0, "there are vocabularies");
  const organism = await get("/api/vocabularies/organisms/taxid:562");
  check(organism.id === "taxid:562", "a starter item is served");

  bindery("user", "add", "smoke");
  const token = bindery("token", "create", "--user", "smoke", "--scope", "records:write").trim();
  const draft = await fetch(`${base}/api/records/mst/`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ metadata: { general_parameters: { record_information: { title: "Smoke" } } } }),
  });
  check(draft.status === 201, `a draft is created (${draft.status})`);

  async function get(path) {
    const response = await fetch(base + path);
    check(response.status === 200, `GET ${path} answers 200 (${response.status})`);
    return response.headers.get("content-type")?.includes("json") ? response.json() : response.text();
  }

  server.kill("SIGTERM");
  await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  // npm ends by the signal itself; that the server ended cleanly is what it said last.
  check(lines.at(-1)?.includes("Stopped."), `SIGTERM ends it cleanly: ${lines.at(-1)}`);
} finally {
  server.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
}

/** The address that the server prints when it answers. */
function readAddress() {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer within ${START_MS} ms`)), START_MS);
    createInterface({ input: server.stdout }).on("line", (line) => {
      lines.push(line);
      const address = /^Bindery serves (http\S+)/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
    ended.then((code) => reject(new Error(`the server ended with ${code}`)));
  });
}

function bindery(...args) {
  const run = spawnSync("npx", ["bindery", ...args], { env, encoding: "utf8" });
  check(run.status === 0, `bindery ${args.slice(0, 2).join(" ")} ends with 0: ${run.stderr}`);
  return run.stdout;
}

function check(isTrue, what) {
  if (!isTrue) throw new Error(`Smoke: not true that ${what}`);
}
