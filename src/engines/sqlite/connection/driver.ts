import { createRequire } from "node:module";
import type Better from "better-sqlite3";

/**
 * Name of the driver for this Node: better-sqlite3 13 needs Node 22; version 12, compiled for Node 24.19 or later, ends
 * the process if a statement is collected between two turns of the event loop. See docs/decisions/0005.
 */
export const DRIVER = Number(process.versions.node.split(".")[0]) < 22 ? "better-sqlite3-node20" : "better-sqlite3";

export const Sqlite: typeof Better = createRequire(import.meta.url)(DRIVER);
