/** Structures that take the library too long, sent to the built program. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { allBound } from "../support/hostile-structures.js";
import type { Answer, Problem } from "../support/http-client.js";

const CHEMICALS = "/api/vocabularies/chemicals";
const WATER = `${CHEMICALS}/inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N`;

/** Cubanes in a chain, which no limit on rings refuses: 200 atoms. */
const CUBANES = "C12C3C4C1C5C2C3C45".repeat(25);
/** The same with another isotope as the first atom: the pictures are drawn one by one. */
const slowStructure = (mass: number): string => `[${mass}CH]${CUBANES.slice(1)}`;

/** Runs the service without compiled code, so that these take too long on a fast machine too. */
const INTERPRETED = ["bash", "-c", 'exec "$0" --no-opt --no-sparkplug "$@"'];

let bindery: Bindery;
let curator: TestUser;

beforeAll(async () => {
  bindery = await startBindery({ env: { BINDERY_RATE_LIMITS: "off" }, through: INTERPRETED });
  curator = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
});
afterAll(() => bindery.dispose());

/** Adds a chemical. @returns the address of its picture */
async function add(letters: string, smiles: string): Promise<string> {
  const id = `inchikey:${letters.padEnd(14, "X")}-UHFFFAOYSA-N`;
  const answer = await curator.client.post(CHEMICALS, { id, title: letters, props: { smiles } });
  expect(answer.status, answer.text).toBe(201);
  return `${CHEMICALS}/${id}/structure.svg`;
}

/** Gets a picture, twice if need be: on a busy machine a thread starts more slowly than a structure may wait for it. */
async function draw(path: string): Promise<Answer<Problem>> {
  const answer = await bindery.client.get<Problem>(path);
  return answer.status === 503 ? bindery.client.get<Problem>(path) : answer;
}

/** Pages, searches, streams and reads. */
const OTHERS = ["/", `${CHEMICALS}?q=water`, `${CHEMICALS}?format=ndjson`, WATER, "/readyz", "/search"];

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await work();
  return { result, ms: performance.now() - start };
}

describe("structures that take too long to draw", () => {
  it("are ended, remembered, and keep no other request waiting", async () => {
    const letters = ["SLOWA", "SLOWB"];
    const slow = await Promise.all(letters.map((name, i) => add(name, slowStructure(13 + i))));
    const dense = await add("DENSE", allBound(12));
    // The first request for each loads what later ones use.
    for (const path of OTHERS) await bindery.client.get(path);
    const pictures = slow.map(draw);
    const refused = await timed(() => bindery.client.get<Problem>(dense));
    expect(refused.result.body).toMatchObject({ status: 404, code: "STRUCTURE_NOT_FOUND" });
    expect(refused.ms).toBeLessThan(LIMITS.structureMsMax);

    for (const path of OTHERS) {
      const { result, ms } = await timed(() => bindery.client.get(path));
      expect([path, result.status]).toEqual([path, 200]);
      expect(ms, path).toBeLessThan(LIMITS.structureMsMax);
    }

    for (const { status, body } of await Promise.all(pictures)) {
      expect(status).toBe(404);
      expect(body.message).toMatch(/cannot be drawn: it takes more than 2 seconds to draw\.$/);
    }
    const again = await timed(() => Promise.all(slow.map((path) => bindery.client.get(path))));
    expect(again.result.map(({ status }) => status)).toEqual([404, 404]);
    expect(again.ms).toBeLessThan(LIMITS.structureMsMax);

    // The thread that replaces the one that was ended draws.
    const picture = await draw(`${WATER}/structure.svg`);
    expect([picture.status, picture.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
    const metrics = (await bindery.client.get("/metrics")).text;
    expect(metrics).toMatch(/bindery_thread_restarts_total\{thread="drawing",reason="late"\} 2/);
  });

  it("does not keep the service from stopping", async () => {
    const path = await add("SLOWE", slowStructure(20));
    void bindery.client.get(path).catch(() => undefined);
    const { ms } = await timed(() => bindery.end("SIGTERM"));
    expect(ms).toBeLessThan(15_000);
    await bindery.restart();
  });
});
