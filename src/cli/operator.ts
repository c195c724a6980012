import type { Config } from "../config/schema.js";
import type { OperatorServices, Services } from "../services/services.js";

/** Runs `work` on the store as a whole, which is there: nothing is made, and no other upkeep runs meanwhile. */
export async function withUpkeep<T>(config: Config, work: (services: OperatorServices) => Promise<T>): Promise<T> {
  const { compose, openCatalog } = await import("../app/compose.js");
  const { services, close } = await compose(config, openCatalog(config), "upkeep");
  try {
    return await work(services);
  } finally {
    await close();
  }
}

/**
 * Runs `work` on the data folder, beside a running server or without one; a folder that is missing is made. Starter
 * items are there first, as after the first start of a server.
 */
export async function withOperator<T>(
  config: Config,
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  // Lazily: help and mistakes need no engine.
  const { compose, openCatalog } = await import("../app/compose.js");
  const { services, close } = await compose(config, openCatalog(config), "command");
  try {
    await services.loadStarters();
    return await work(services);
  } finally {
    await close();
  }
}
