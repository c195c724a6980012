/** What every page runs. */
import { CopyText } from "./copy-text.js";
import { listenForKeys } from "./keys.js";
import { QueryField } from "./query-field.js";

customElements.define("copy-text", CopyText);
customElements.define("query-field", QueryField);
listenForKeys();
