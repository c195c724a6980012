import { writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery } from "../support/bindery.js";
import { type Answer, type Client, makeClient } from "../support/http-client.js";
import { recordLines } from "../support/records.js";

const RECORDS = 60;
const CONNECTIONS = 60;
const LIGHT = 12;

let bindery: Bindery;
let agents: Agent[];

/** A client that connects from an address of its own: on Linux all of 127.0.0.0/8 are this machine's. */
function clientFrom(localAddress: string, maxSockets: number): Client {
  const agent = new Agent({ keepAlive: true, localAddress, maxSockets });
  agents.push(agent);
  return makeClient(() => bindery.url, agent);
}

beforeAll(async () => {
  agents = [];
  // The limits of requests are those that a service has by default.
  bindery = await startBindery({ env: { BINDERY_RATE_LIMITS: "" } });
  await bindery.user("alice");
  const file = join(bindery.data, "records.ndjson");
  writeFileSync(file, recordLines(RECORDS));
  const done = await bindery.program("import", "records", "mst", file, "--owner", "alice", "--publish");
  expect(done.code, done.stderr).toBe(0);
});
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await bindery.dispose();
});

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const words = letters.flatMap((first) => letters.slice(0, 1).map((second) => `${first}${second}*`));

/** Each differs, so that no answer is kept from the one before. */
const costly = (n: number): string =>
  `/api/search/?q=${encodeURIComponent(`${words.join(" OR ")} OR flood${n}`)}&size=20&highlight=true&facet_size=1000`;

describe("one caller who floods the service with costly searches", () => {
  it("does not keep others from their answers", async () => {
    const attacker = clientFrom("127.0.0.1", CONNECTIONS);
    const other = clientFrom("127.0.0.2", 4);
    const first = await attacker.get(costly(0));
    expect(first.status, first.text.slice(0, 500)).toBe(200);
    const alone = await attacker.get(costly(-1));

    let isOver = false;
    let sent = 0;
    const attacks: Answer[] = [];
    const flood = Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver) {
        const answer = await attacker.get(costly(++sent)).catch(() => undefined);
        if (answer !== undefined) attacks.push(answer);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 3 * alone.millis));
    const light: Answer[] = [];
    for (let n = 0; n < LIGHT; n++) {
      light.push(
        await other.get(n % 3 === 0 ? "/api/vocabularies/organisms/taxid:562" : `/api/search/?q=protein&p=${n}`),
      );
    }
    isOver = true;
    for (const agent of agents) agent.destroy();
    await Promise.all(flood);

    expect(light.map(({ status }) => status)).toEqual(light.map(() => 200));
    // Without turns, all that the others sent would be answered first: one costly search for each connection.
    const slowest = Math.max(...light.map(({ millis }) => millis));
    expect(slowest).toBeLessThan((CONNECTIONS / 3) * alone.millis + 500);
    expect(attacks.filter(({ status }) => status >= 500)).toEqual([]);
  });
});
