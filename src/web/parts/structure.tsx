import { useContext } from "preact/hooks";
import { STRUCTURE_SIZE } from "../../formats/structure-svg.js";
import type { Item } from "../views/record-sections.js";
import { structuresAmong } from "../views/value-view.js";
import { WORDS } from "../words/en.js";
import { usePlace } from "./place.js";
import { RecordDrawing } from "./record-drawing.js";

interface StructureProps {
  /** Below the root of the service. */
  readonly at: string;
  /** Of the compound. */
  readonly title: string;
}

/** The picture of a compound's structure, asked for once it comes into view. */
export function Structure({ at, title }: StructureProps) {
  const { root } = usePlace();
  return (
    <img class="structure" src={root + at} alt={WORDS.terms.structure(title)} {...STRUCTURE_SIZE} loading="lazy" />
  );
}

/** What the compounds look like that these values cite. */
export function Structures({ items }: { readonly items: readonly Item[] }) {
  const structures = structuresAmong(items, useContext(RecordDrawing), WORDS.record);
  return (
    <>
      {structures.map((each) => (
        <Structure key={each.at} {...each} />
      ))}
    </>
  );
}
