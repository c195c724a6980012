import { compose } from "../../src/app/composition/compose.js";
import { loadConfig } from "../../src/config/load.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { builtInCatalog } from "./catalog.js";

/** Makes a store in a folder as the first start of the service does, with its starter items, in this process. */
export async function newStore(data: string): Promise<void> {
  const { services, close } = await compose(loadConfig({ BINDERY_DATA: data }), builtInCatalog(), {
    role: "setup",
    background: WARNING_REPORTER,
  });
  await services.loadStarters();
  await close();
}
