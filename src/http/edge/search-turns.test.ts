import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, expect, it, vi } from "vitest";
import { refusalOf } from "../../../test/support/open-services.js";
import { LIMITS } from "../../core/limits.js";
import { makeTurns } from "./search-turns.js";

const MAX = LIMITS.searchesRunningPerCallerMax;

/** The response that a client waits for. */
class Client extends EventEmitter {
  destroyed = false;

  leave(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

/** Clients that are there until their test ends: whoever still waits leaves then. */
const clients: Client[] = [];
const here = () => {
  const client = new Client();
  clients.push(client);
  return client as Client & ServerResponse;
};
afterEach(() => {
  for (const client of clients.splice(0)) client.leave();
});

/** One that may still wait when its test ends. */
const mayLeave = (turn: Promise<unknown>): void => void turn.catch(() => undefined);

/** Asks for turns, and notes which of them came, in their order. */
function ask() {
  const turns = makeTurns(MAX);
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  return {
    begun,
    end: () => releases.shift()?.(),
    take: async (caller: string, name: string, client = here()) => {
      releases.push(await turns.take(caller, 0, client));
      begun.push(name);
    },
    turns,
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it("lets some searches of a caller run and the others wait in their order, whoever else there is", async () => {
  const { begun, take, end } = ask();
  for (let n = 0; n < MAX + 3; n++) mayLeave(take("ada", `ada ${n}`));
  await take("ben", "ben 0");
  expect(begun).toEqual([...Array.from({ length: MAX }, (_, n) => `ada ${n}`), "ben 0"]);
  end();
  await settle();
  end();
  await settle();
  expect(begun.slice(MAX + 1)).toEqual([`ada ${MAX}`, `ada ${MAX + 1}`]);
});

it("gives nobody's turn to a client that went away", async () => {
  const { begun, take, end } = ask();
  for (let n = 0; n < MAX; n++) await take("ada", `${n}`);
  const gone = here();
  const left = refusalOf(take("ada", "left", gone));
  mayLeave(take("ada", "stayed"));
  gone.leave();
  expect((await left).code).toBe("REQUEST_MALFORMED");
  expect((await refusalOf(take("ada", "late", gone))).code).toBe("REQUEST_MALFORMED");
  end();
  await settle();
  expect(begun.slice(MAX)).toEqual(["stayed"]);
});

it("refuses what is more than may wait, by number and by length", async () => {
  const { turns, take, end } = ask();
  for (let n = 0; n < MAX + LIMITS.searchesWaitingPerCallerMax; n++) mayLeave(take("ada", `${n}`));
  await settle();
  const refusal = await refusalOf(take("ada", "more"));
  expect([refusal.code, refusal.status, refusal.params.seconds]).toEqual(["SEARCHES_TOO_MANY", 429, 2]);
  await take("ben", "other");
  end();
  await settle();
  const leaving = here();
  const one = refusalOf(turns.take("ada", 10, leaving));
  leaving.leave();
  await one;

  for (let n = 0; n < MAX; n++) await turns.take("cleo", LIMITS.bodyBytesMax, here());
  mayLeave(turns.take("cleo", LIMITS.bodyBytesMax, here()));
  mayLeave(turns.take("cleo", LIMITS.bodyBytesMax, here()));
  expect((await refusalOf(turns.take("cleo", LIMITS.bodyBytesMax, here()))).code).toBe("SEARCHES_TOO_MANY");
  const waits = turns.take("cleo", 0, here());
  mayLeave(waits);
  expect(await Promise.race([waits, settle().then(() => "waiting")])).toBe("waiting");
});

it("ends a turn that is never released, counts it, and gives its place once", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { turns } = ask();
    const releases = [];
    for (let n = 0; n < MAX; n++) releases.push(await turns.take("ada", 0, here()));
    const next = turns.take("ada", 0, here());
    expect(turns.count()).toEqual({ running: MAX, waiting: 1, expired: 0 });
    await vi.advanceTimersByTimeAsync(LIMITS.searchTurnMsMax + 10_000);
    const release = await next;
    expect(turns.count()).toEqual({ running: 1, waiting: 0, expired: MAX });
    for (const late of releases) late();
    expect(turns.count().running).toBe(1);
    release();
    release();
    expect(turns.count()).toEqual({ running: 0, waiting: 0, expired: MAX });
  } finally {
    vi.useRealTimers();
  }
});
