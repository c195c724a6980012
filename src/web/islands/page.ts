/** What every page runs. */
import { CopyText } from "./copy-text.js";
import { listenForKeys } from "./keys.js";

customElements.define("copy-text", CopyText);
listenForKeys();
