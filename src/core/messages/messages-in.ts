import { EN } from "./en.js";
import type { Messages } from "./messages.js";

const LANGUAGES: ReadonlyMap<string, Messages> = new Map([["en", EN]]);

/** The messages in a language; in English where there are none in it. */
export function messagesIn(lang = "en"): Messages {
  return LANGUAGES.get(lang) ?? EN;
}
