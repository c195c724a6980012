import { exportsOfIds } from "../views/export-view.js";
import { address, type Pairs } from "../views/paths.js";
import type { SelectionView } from "../views/selection-view.js";
import { WORDS } from "../words/page-en.js";
import { ExportMenu } from "./export-menu.js";
import { SELECTED, SELECTION_FORM } from "./hits.js";
import { Link } from "./link.js";
import { usePlace } from "./place.js";
import { Hidden } from "./query-field.js";

const words = WORDS.search;

interface SelectionProps {
  readonly selection: SelectionView;
  /** What is wanted of a table of them. */
  readonly table: Pairs;
}

/** What can be done with the records that are selected. Without scripts a button selects those that are ticked. */
export function Selection({ selection, table }: SelectionProps) {
  const { root } = usePlace();
  const { ids, elsewhere, path, carried } = selection;
  return (
    <hit-selection>
      <form id={SELECTION_FORM} class="selection" action={root + path}>
        <Hidden pairs={[...carried, ...elsewhere.map((id) => [SELECTED, id] as const)]} />
        <button type="submit" class="quiet select">
          {words.tick}
        </button>
        {ids.size > 0 && (
          <>
            <span class="soft">{words.selected(ids.size)}</span>
            <Link to={address("compare", [["ids", [...ids].join(",")]])} nofollow>
              {WORDS.compare.button}
            </Link>
            <ExportMenu label={words.exportSelected} exports={exportsOfIds(ids, table)} />
          </>
        )}
      </form>
    </hit-selection>
  );
}
