import type { Export } from "../views/export-view.js";
import { WORDS } from "../words/page-en.js";
import { Link } from "./link.js";

/** Links to a result in each of its formats. */
export function ExportMenu({ label, exports }: { readonly label: string; readonly exports: readonly Export[] }) {
  return (
    <details class="menu">
      <summary>{WORDS.search.exportAs}</summary>
      <ul aria-label={label}>
        {exports.map(({ title, to }) => (
          <li key={title}>
            <Link to={to} nofollow>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
