import { Link } from "./link.js";
import { Prose } from "./prose.js";

/** What a list leads to: a vocabulary, a model. */
interface DescribedLink {
  /** Below the root. */
  readonly to: string;
  readonly title: string;
  /** What stands beside the title: how many there are, a short name. */
  readonly note: string;
  readonly description: string;
}

/** Links, each with what it leads to. */
export function DescribedLinks({ links }: { readonly links: readonly DescribedLink[] }) {
  return (
    <ul class="described">
      {links.map(({ to, title, note, description }) => (
        <li key={to}>
          <Link to={to}>{title}</Link> <span class="count">{note}</span>
          <br />
          <span class="soft small">
            <Prose text={description} />
          </span>
        </li>
      ))}
    </ul>
  );
}
