import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { openServices } from "../../../test/support/open-services.js";
import { makeOnDemand } from "../on-demand.js";
import { prepareExamples } from "./prepare-examples.js";
import { makePrepareRecord } from "./prepare-record.js";

it("makes what the first body of each model needs", async () => {
  const { store, dispose } = await openServices();
  const catalog = builtInCatalog();
  const compiled: string[] = [];
  const onDemand = makeOnDemand();
  const prepareRecord = makePrepareRecord({
    ...{ store, catalog, clock: { nowMicros: () => Date.now() * 1000 } },
    ...onDemand,
    validatorOf: (model) => {
      compiled.push(model.name);
      return onDemand.validatorOf(model);
    },
  });
  let pauses = 0;
  await prepareExamples({ prepareRecord }, catalog, async () => {
    pauses += 1;
  });
  expect(compiled).toEqual([...catalog.models.keys()]);
  expect(pauses).toBe(catalog.models.size);
  await dispose();
});
