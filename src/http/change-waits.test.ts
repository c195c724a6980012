import { afterAll, beforeAll, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { LIMITS } from "../core/limits.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.close());

interface From {
  readonly token?: string;
  readonly address?: string;
}

const MAX = LIMITS.changeWaitersPerCallerMax;

it("lets one caller hold so many requests that wait, tells the next, and lets others wait", async () => {
  const [ada, ben] = [await server.token("ada"), await server.token("ben")];
  const again = await server.token("ada");
  const since = await server.services.readChangeHead();
  const ask = async (seconds: number, { token, address = "192.0.2.1" }: From = {}) => {
    const answer = await server.app.inject({
      url: `/api/changes?since=${since}&wait=${seconds}`,
      remoteAddress: address,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    return { headers: answer.headers, body: answer.json() };
  };
  const waiting = Array.from({ length: MAX }, (_, n) => [
    ask(30),
    ask(30, { token: n % 2 === 0 ? ada : again }),
  ]).flat();
  const settled = Promise.all(waiting);
  await new Promise((resolve) => setTimeout(resolve, 300));

  for (const from of [{}, { token: ada }, { token: again, address: "192.0.2.9" }]) {
    const begun = performance.now();
    const { headers, body } = await ask(30, from);
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(headers["retry-after"]).toBe(String(LIMITS.changeWaitRetrySeconds));
    expect(body.warnings).toMatchObject([{ code: "WAIT_REFUSED", parameter: "wait" }]);
    expect(body).toMatchObject({ changes: [], next: since });
  }
  for (const from of [{ address: "192.0.2.2" }, { token: ben }]) {
    const { headers, body } = await ask(0.1, from);
    expect([headers["retry-after"], body.warnings]).toEqual([undefined, undefined]);
  }
  const item = { id: "cf:test", title: { en: "Test" }, props: {}, status: "active" } as const;
  await server.store.transaction((tx) => tx.terms.put("cell_fractions", item));
  for (const { headers } of await settled) expect(headers).not.toHaveProperty("retry-after");
  expect((await ask(30)).body).not.toHaveProperty("warnings");
});
