/**
 * What the service is compared with: Fastify without plug-ins or log, which sends constant answers. It runs in a
 * process of its own, as the service does.
 */
import Fastify from "fastify";
import type { BareAnswers } from "./start-bare.js";

process.once("message", async ({ sizes }: BareAnswers) => {
  const app = Fastify();
  app.get("/hello", async () => ({ hello: "world" }));
  for (const bytes of sizes) {
    const answer = JSON.stringify("x".repeat(Math.max(0, bytes - 2)));
    app.get(`/bytes/${bytes}`, async (_request, reply) => reply.type("application/json; charset=utf-8").send(answer));
  }
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  process.send?.(url);
});
