import { MessageChannel } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { fail } from "../../core/errors.js";
import type { ScanLoader } from "../composition/open-engines.js";
import { answerCalls, makeCallLink } from "./call-link.js";

const QUESTION = { kind: "numbers", path: 1 } as const;
const never: ScanLoader = () => new Promise(() => undefined);
const answering =
  (seq: number): ScanLoader =>
  async () => ({ rows: Float64Array.of(1, 2, 3), seq });

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Makes a link like that of the search thread to the loader thread. */
function makeLoadLink(connectMs = 5_000) {
  const { connect, call } = makeCallLink("the loader thread", { callMs: 60_000, connectMs, attempts: 2 });
  const load: ScanLoader = async (...args) => (await call("load", args)) as Awaited<ReturnType<ScanLoader>>;
  return { connect, load };
}

/** Connects a loader. Returns a function that disconnects it, as the end of its thread does. */
function attach(link: ReturnType<typeof makeLoadLink>, load: ScanLoader): () => void {
  const { port1, port2 } = new MessageChannel();
  answerCalls(port2, { load });
  link.connect(port1);
  port1.ref();
  ends.push(() => port2.close());
  return () => port2.close();
}

describe("a call to another thread", () => {
  it("returns the answer, whose arrays are transferred", async () => {
    const link = makeLoadLink();
    const rows = Float64Array.of(1, 2, 3);
    attach(link, async (question, until) => {
      expect([question, until]).toEqual([QUESTION, 99]);
      return { rows, seq: 7 };
    });
    expect(await link.load(QUESTION, 99)).toEqual({ rows: Float64Array.of(1, 2, 3), seq: 7 });
    expect(rows.byteLength).toBe(0);
  });

  it("throws the error of the other thread", async () => {
    const link = makeLoadLink();
    attach(link, async () => {
      throw fail("QUERY_TOO_COSTLY", { clause: "the query" });
    });
    await expect(link.load(QUESTION, 0)).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY", status: 400 });
  });

  it("is sent once without further attempts", async () => {
    const link = makeCallLink("the writer", { callMs: 60_000 });
    await expect(link.call("load", [])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const { port1, port2 } = new MessageChannel();
    link.connect(port1);
    port1.ref();
    const lost = link.call("load", []);
    port2.close();
    await expect(lost).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("waits for a connection", async () => {
    const link = makeLoadLink();
    const answer = link.load(QUESTION, 0);
    attach(link, answering(1));
    expect((await answer).seq).toBe(1);
  });

  it("fails with 503 if no thread connects", async () => {
    await expect(makeLoadLink(10).load(QUESTION, 0)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", status: 503 });
  });

  it("is repeated if the other thread ends, and fails if the next one ends too", async () => {
    const link = makeLoadLink();
    const kill = attach(link, never);
    const [first, second] = [link.load(QUESTION, 0), link.load(QUESTION, 0)];
    kill();
    const killNext = attach(link, answering(2));
    expect((await first).seq).toBe(2);
    expect((await second).seq).toBe(2);

    killNext();
    const killThird = attach(link, never);
    const third = link.load(QUESTION, 0);
    killThird();
    const killFourth = attach(link, never);
    // The fourth thread receives the call of the third before it ends.
    setTimeout(killFourth, 100);
    await expect(third).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("goes to the thread that connected last", async () => {
    const link = makeLoadLink();
    attach(link, never);
    const waiting = link.load(QUESTION, 0);
    attach(link, answering(3));
    expect((await waiting).seq).toBe(3);
    expect((await link.load(QUESTION, 0)).seq).toBe(3);
  });
});
