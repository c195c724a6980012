/** What search pages run. */
import { LiveSearch } from "./live-search.js";
import "./page.js";

customElements.define("live-search", LiveSearch);
