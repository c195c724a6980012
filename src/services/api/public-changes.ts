export type { PublicChanges } from "../../ports/public-changes.js";
