import { STRUCTURE_SIZE } from "../../formats/structure-svg.js";
import type { Picture } from "../views/compounds.js";
import type { Item } from "../views/value-view.js";
import { picturesOfValues } from "../views/value-view.js";
import { WORDS } from "../words/page-en.js";
import type { Place } from "./place.js";

/** Size of a picture in lists. */
const STAMP_SIZE = { width: STRUCTURE_SIZE.width / 2, height: STRUCTURE_SIZE.height / 2 };

interface StructureProps extends Picture {
  readonly size?: { readonly width: number; readonly height: number };
}

/** Picture of a compound's structure. Browsers load it when it comes into view. */
export function Structure({ at, title, size = STRUCTURE_SIZE }: StructureProps, { root }: Place) {
  return <img class="structure" src={root + at} alt={WORDS.terms.structure(title)} {...size} loading="lazy" />;
}

/** Row of small pictures. */
export function Stamps({ pictures }: { readonly pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null;
  return (
    <div class="stamps">
      {pictures.map((picture) => (
        <Structure key={picture.at} {...picture} size={STAMP_SIZE} />
      ))}
    </div>
  );
}

/** Pictures of the compounds that some values cite. */
export function Structures({ items }: { readonly items: readonly Item[] }) {
  return (
    <>
      {picturesOfValues(items).map((each) => (
        <Structure key={each.at} {...each} />
      ))}
    </>
  );
}
