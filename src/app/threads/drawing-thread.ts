/** Entry of the thread that draws structures. It has no store, so it may be ended at any moment. */
import { drawSmiles } from "../../formats/structure-svg.js";
import { serveThread } from "./serve-thread.js";

await serveThread(async () => {
  // Loads the library before the first structure, whose time is limited.
  await drawSmiles("C");
  return { handlers: { drawStructure: drawSmiles }, close: async () => undefined };
});
