import type { TermHit } from "../../services/api/searches.js";
import { joinWithSeparator } from "../notation/rich-text.js";
import { termPath } from "../views/page-addresses.js";
import type { TermView } from "../views/term-view.js";
import { WORDS } from "../words/page-en.js";
import { RichLine } from "./number.js";
import { Stamps } from "./structure.js";
import { Link } from "./text.js";

const words = WORDS.terms;

/**
 * Terms with their most informative properties: those with single values, and the parent, which distinguishes terms
 * with the same title.
 */
export function TermList({ terms }: { readonly terms: readonly (TermView & Partial<Pick<TermHit, "matched">>)[] }) {
  const hasPictures = terms.some(({ structure }) => structure !== undefined);
  return (
    <ul class={hasPictures ? "terms drawn" : "terms"}>
      {terms.map(
        ({ vocabulary, id, title, name, parentTitle, props, structure, matched, isDeprecated, citedBy = 0 }) => (
          <li key={id}>
            <Stamps pictures={structure === undefined ? [] : [{ at: structure, title }]} />
            <Link to={termPath(vocabulary, id)}>
              <RichLine text={name} />
            </Link>{" "}
            <span class="soft">
              <RichLine
                text={joinWithSeparator(
                  [
                    ...props.filter(({ isTelling }) => isTelling).map(({ text }) => text),
                    ...(parentTitle === undefined ? [] : [[parentTitle]]),
                  ],
                  " · ",
                )}
              />
            </span>{" "}
            <code class="id">{id}</code>
            {citedBy > 0 && <span class="count"> {words.citedTimes(citedBy)}</span>}
            {isDeprecated && <span class="soft"> ({words.isDeprecated})</span>}
            {matched !== undefined && matched.text !== title && (
              <span class="soft small">
                {" "}
                {words.matched} {matched.text}
                {matched.kind !== undefined && ` (${matched.kind})`}
              </span>
            )}
          </li>
        ),
      )}
    </ul>
  );
}
