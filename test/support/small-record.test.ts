import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "../../src/core/actor.js";
import { bodyOf, type OpenServices, openServices } from "./open-services.js";
import { MISSING_FIELD, type SmallContent, smallRecord } from "./small-record.js";

let services: OpenServices;
let alice: Actor;
beforeAll(async () => {
  services = await openServices();
  alice = await services.actor("alice", "records:write");
});
afterAll(() => services.dispose());

const problemsOf = async (content: Partial<SmallContent>): Promise<unknown> => {
  const whole = { model: "mst", title: "Small", rights: "open", isValid: true, ...content } as const;
  const { record, warnings } = await services.createDraft(alice, whole.model, JSON.stringify(smallRecord(whole)));
  expect(warnings).toEqual([]);
  return bodyOf({ record, warnings }).errors?.map(({ field, code }) => `${field} ${code}`);
};

it.each(["mst", "bli", "itc", "spr"] as const)("is a valid record of %s", async (model) => {
  for (const rights of ["open", "embargoed", "restricted"] as const) {
    expect(await problemsOf({ model, rights })).toBeUndefined();
  }
});

it("has one error where it is not valid", async () => {
  expect(await problemsOf({ isValid: false })).toEqual([`${MISSING_FIELD} REQUIRED`]);
});
