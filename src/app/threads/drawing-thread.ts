/** Entry of the thread that draws structures. It has no store, so it may be ended at any moment. */
import { drawStructure } from "../../formats/structure-svg.js";
import { serveThread } from "./serve-thread.js";

await serveThread(async () => {
  // Loads the library before the first structure, whose time is limited.
  await drawStructure("C");
  return { handlers: { drawStructure }, close: async () => undefined };
});
