import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import type { Actor } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { makeRunWrite, type RunWrite } from "./run-write.js";

const HOUR_MICROS = 3_600_000_000;
let bindery: OpenServices;
let actor: Actor;
let runWrite: RunWrite;

beforeAll(async () => {
  bindery = await openServices({ content: "nothing" });
  actor = await bindery.actor("ada", "records:write");
  runWrite = makeRunWrite(bindery.store);
});
afterAll(() => bindery.dispose());

/** A write that counts how often it was done, and fails where it is told to. */
function counting() {
  let count = 0;
  return (key: string, failure?: Error) =>
    runWrite({ actor, once: { key, request: "r" } }, async () => {
      count += 1;
      if (failure !== undefined) throw failure;
      return count;
    });
}

it("keeps the failure of a client, and none of ours", async () => {
  const write = counting();
  for (const failure of [fail("STORE_UNAVAILABLE", { reason: "a test" }), fail("INTERNAL"), new Error("a bug")]) {
    await expect(write("ours", failure)).rejects.toBe(failure);
  }
  expect(await write("ours")).toBe(4);
  expect(await write("ours", new Error("not run again"))).toBe(4);

  const refused = fail("REVISION_STALE", { expected: 1, actual: 2 });
  await expect(write("theirs", refused)).rejects.toBe(refused);
  expect(await refusalOf(write("theirs"))).toMatchObject({ code: "REVISION_STALE", message: refused.message });
});

it("rolls back what a refused request wrote, its line of the audit log too", async () => {
  const once = { key: "half", request: "r" };
  const write = runWrite({ actor, once }, async (tx, note) => {
    await tx.users.addUser({ name: "half", role: "depositor" });
    await note({ action: "user.add", kind: "user", id: "half" });
    throw fail("ACCESS_DENIED", { action: "do that" });
  });
  expect((await refusalOf(write)).code).toBe("ACCESS_DENIED");
  expect(await bindery.store.users.findUser("half")).toBeUndefined();
  expect(await bindery.store.audit.list({ target: "half", limit: 9 })).toEqual([]);
});

it("keeps an answer for a day", async () => {
  const write = counting();
  expect(await write("day")).toBe(1);
  bindery.forward((LIMITS.idempotencyHours - 1) * HOUR_MICROS);
  expect(await write("day")).toBe(1);
  // Writes of one millisecond have times after it, a microsecond each.
  bindery.forward(HOUR_MICROS + 1_000);
  expect(await write("day")).toBe(2);
});
