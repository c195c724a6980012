import Fastify from "fastify";
import { Registry } from "prom-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendProblem } from "../answers/send-problem.js";
import { addMetrics, type Metrics } from "./request-metrics.js";

const TOKEN = "a-token-for-the-metrics-only";

/** What a request for the metrics is answered with. */
async function ask(
  options: Partial<Metrics>,
  headers: Readonly<Record<string, string>> = {},
  remoteAddress = "127.0.0.1",
): Promise<[status: number, code?: string]> {
  const app = Fastify();
  onTestFinished(() => app.close());
  app.setErrorHandler(sendProblem);
  const registry = new Registry();
  addMetrics(app, {
    registry,
    audience: "loopback",
    isBehindProxy: false,
    text: () => registry.metrics(),
    ...options,
  });
  const answer = await app.inject({ method: "GET", url: "/metrics", headers, remoteAddress });
  return answer.statusCode === 200 ? [200] : [answer.statusCode, answer.json().code];
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const HIDDEN = [404, "PATH_NOT_FOUND"];

describe("the metrics", () => {
  it("are for this machine", async () => {
    for (const address of ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"]) {
      expect(await ask({}, {}, address), address).toEqual([200]);
    }
    for (const address of ["192.0.2.1", "10.0.0.1", "::2"]) expect(await ask({}, {}, address), address).toEqual(HIDDEN);
  });

  it.each([
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-forwarded",
    "x-forwarded-for",
    "x-forwarded-proto",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-server",
  ])("are not for what a proxy on this machine passes on with %s", async (header) => {
    expect(await ask({}, { [header]: "x" })).toEqual(HIDDEN);
  });

  it("are not for this machine where a proxy is in front that may say nothing of itself", async () => {
    expect(await ask({ isBehindProxy: true })).toEqual(HIDDEN);
    expect(await ask({ isBehindProxy: true, token: TOKEN })).toEqual([401, "TOKEN_MISSING"]);
  });

  it("are for whoever shows their token, from wherever", async () => {
    for (const address of ["127.0.0.1", "192.0.2.1"]) {
      const forwarded = { ...bearer(TOKEN), "x-forwarded-for": "192.0.2.1" };
      expect(await ask({ token: TOKEN, isBehindProxy: true }, forwarded, address)).toEqual([200]);
      for (const wrong of [`${TOKEN}x`, TOKEN.slice(1), "x"]) {
        expect(await ask({ token: TOKEN }, bearer(wrong), address)).toEqual([401, "TOKEN_INVALID"]);
      }
    }
    expect(await ask({ token: TOKEN }, { authorization: `Basic ${TOKEN}` })).toEqual([401, "TOKEN_INVALID"]);
    expect(await ask({ token: TOKEN }, {}, "192.0.2.1")).toEqual([401, "TOKEN_MISSING"]);
    expect(await ask({ token: TOKEN })).toEqual([200]);
  });

  it("are for everybody, or for nobody, where it is said so", async () => {
    expect(await ask({ audience: "everyone", isBehindProxy: true }, { via: "x" }, "192.0.2.1")).toEqual([200]);
    expect(await ask({ audience: "off", token: TOKEN }, bearer(TOKEN))).toEqual(HIDDEN);
  });
});
