import { skosJsonLd } from "./skos-json-ld.js";
import type { TermFormat } from "./term-format.js";
import { turtle } from "./turtle.js";

/** All formats of terms beside JSON, and in the order in which they are offered. */
export const TERM_FORMATS: readonly TermFormat[] = [turtle, skosJsonLd];
