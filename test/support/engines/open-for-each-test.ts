import { afterEach, beforeEach } from "vitest";
import type { Catalog } from "../../../src/core/catalog/types.js";
import type { Engine } from "../../../src/ports/engine.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  type RecordEngine,
  type TestClock,
} from "./engine-under-test.js";

/**
 * Opens an engine on an empty place before each test of the suite that calls this, and afterwards closes it and removes
 * the place.
 * @param take is given each engine that is opened, and the clock of its test
 * @param catalog of the engines; absent: the contract's
 * @returns closes the engine and opens the same store again, by another catalog where one is given
 */
export function openForEachTest<E extends RecordEngine = Engine>(
  under: EngineUnderTest<E>,
  take: (engine: E, clock: TestClock) => void,
  catalog: Catalog = contractCatalog(),
): (other?: Catalog) => Promise<void> {
  let engine: E;
  let clock: TestClock;
  const open = async (chosen: Catalog): Promise<void> => {
    engine = await under.open({ catalog: chosen, clock });
    take(engine, clock);
  };
  beforeEach(async () => {
    clock = makeClock();
    await open(catalog);
  });
  afterEach(async () => {
    await engine.close();
    await under.cleanUp();
  });
  return async (other = catalog) => {
    await engine.close();
    await open(other);
  };
}
