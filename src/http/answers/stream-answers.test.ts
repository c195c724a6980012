import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fail } from "../../core/errors.js";
import { makeStreamAnswers } from "./stream-answers.js";

const refuse = (): Promise<never> => Promise.reject(fail("STORE_UNAVAILABLE", { reason: "nothing is opened here" }));

it("does not take a stream of a thread that it replaced for one that has ended", async () => {
  const services = { openRecordResult: refuse, openTermResult: refuse };
  const { readStream, closeStream } = makeStreamAnswers(services, builtInCatalog());
  await expect(readStream(1)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await closeStream(1);
});
