/** What search pages run. */
import { FacetFind } from "./facet-find.js";
import { FacetLater } from "./facet-later.js";
import { FacetTree } from "./facet-tree.js";
import { HitSelection } from "./hit-selection.js";
import { LiveSearch } from "./live-search.js";
import { closeMenusEasily } from "./menus.js";
import "./page.js";
import { QueryBuilder } from "./query-builder.js";
import { RangeBrush } from "./range-brush.js";
import { TermTree } from "./term-tree.js";

customElements.define("live-search", LiveSearch);
customElements.define("query-builder", QueryBuilder);
customElements.define("range-brush", RangeBrush);
customElements.define("term-tree", TermTree);
customElements.define("facet-tree", FacetTree);
customElements.define("facet-later", FacetLater);
customElements.define("facet-find", FacetFind);
customElements.define("hit-selection", HitSelection);
closeMenusEasily();
