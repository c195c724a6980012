import { pino } from "pino";
import { expect, it } from "vitest";
import { builtInCatalog } from "../../test/support/catalog.js";
import type { Services } from "../services/use-cases.js";
import { webPages } from "../web/pages.js";
import { buildServer, type ServerOptions } from "./server.js";

it("serves the OpenAPI document that is kept as a golden file", async () => {
  const app = buildServer({
    services: {} as Services,
    answers: {} as ServerOptions["answers"],
    catalog: builtInCatalog(),
    config: { publicUrl: "https://bindery.example.org" },
    // Not that of the package, lest each release changes the file.
    version: "0.0.0",
    logger: pino({ level: "silent" }),
    pages: webPages,
  });
  const answer = await app.inject("/api/openapi.json");
  await app.close();
  expect(answer.statusCode).toBe(200);
  // `npx vitest run src/http/golden.test.ts -u` makes the file anew; the difference is read in review.
  const document = `${JSON.stringify(answer.json(), null, 2)}\n`;
  await expect(document).toMatchFileSnapshot("../../test/golden/openapi.json");
});
