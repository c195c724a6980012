import { createContext } from "preact";
import type { RecordContext } from "../views/value-view.js";

const NONE = new Map<string, never>();

/** What the values of the record around need to be drawn. */
export const RecordDrawing = createContext<RecordContext>({
  ...{ tables: NONE, terms: NONE, references: NONE, anchors: NONE, structures: NONE },
});
