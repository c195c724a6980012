import { exportsOfIds } from "../views/export-view.js";
import { address, type Pairs } from "../views/paths.js";
import type { SelectionView } from "../views/selection-view.js";
import { WORDS } from "../words/page-en.js";
import { ExportMenu } from "./export-menu.js";
import { SELECTED, SELECTION_FORM } from "./hits.js";
import { Link } from "./link.js";
import type { Place } from "./place.js";
import { Hidden } from "./query-field.js";

const words = WORDS.search;

interface SelectionProps {
  readonly selection: SelectionView;
  /** What is wanted of a table of them. */
  readonly table: Pairs;
}

/**
 * What can be done with the records that are selected. Where scripts run, one that is ticked is selected; elsewhere a
 * button selects those that are ticked, another one compares them, and a link selects all.
 */
export function Selection({ selection, table }: SelectionProps, { root }: Place) {
  const { ids, elsewhere, path, carried, all } = selection;
  return (
    <hit-selection>
      <form id={SELECTION_FORM} class="selection" action={root + path}>
        <Hidden pairs={[...carried, ...elsewhere.map((id) => [SELECTED, id] as const)]} />
        <button type="submit" class="quiet select">
          {words.tick}
        </button>
        <button type="submit" class="quiet select" formaction={`${root}compare`}>
          {words.compareTicked}
        </button>
        {all !== undefined && (
          <Link to={all} class="select" nofollow>
            {words.tickAll}
          </Link>
        )}
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
