import { exportsOfIds } from "../views/export-view.js";
import type { Pairs } from "../views/paths.js";
import type { SelectionView } from "../views/selection-view.js";
import { WORDS } from "../words/en.js";
import { ExportMenu } from "./export-menu.js";
import { SELECTION_FORM } from "./hits.js";
import { usePlace } from "./place.js";
import { Hidden } from "./query-field.js";

const words = WORDS.search;

interface SelectionProps {
  readonly selection: SelectionView;
  /** What is wanted of a table of them. */
  readonly table: Pairs;
}

/** What can be done with the records that are ticked. */
export function Selection({ selection: { ids, elsewhere }, table }: SelectionProps) {
  const { root } = usePlace();
  return (
    <hit-selection>
      <form id={SELECTION_FORM} class="selection" action={`${root}compare`}>
        <Hidden pairs={elsewhere.map((id) => ["ids", id])} />
        <span class="soft">{ids.size === 0 ? words.withTicked : words.selected(ids.size)}</span>
        <button type="submit" class="quiet">
          {WORDS.compare.button}
        </button>
        {ids.size > 0 && <ExportMenu label={words.exportSelected} exports={exportsOfIds(ids, table)} />}
      </form>
    </hit-selection>
  );
}
