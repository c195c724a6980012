import type { ComponentChildren } from "preact";
import type { Place } from "./place.js";

interface LinkProps {
  /** Below the root of the service. */
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly label?: string;
  /** Is it the page itself? */
  readonly current?: boolean;
  /** Tells crawlers not to follow the link. By default true for links with a query, which lead to other views. */
  readonly nofollow?: boolean;
}

/** Address of a vocabulary as a tree. `robots.txt` allows it, too. */
const TREE_START = /^vocabularies\/[^/?]+\?view=tree$/;

/** Returns whether a link has a query that `robots.txt` disallows, because it leads to one of many similar views. */
const hasQuery = (to: string): boolean => to.includes("?") && !TREE_START.test(to);

/** A link within the service. */
export function Link({ to, children, label, current, nofollow = hasQuery(to), ...rest }: LinkProps, { root }: Place) {
  return (
    <a
      href={root + to}
      {...rest}
      {...(label === undefined ? {} : { "aria-label": label })}
      {...(current === true ? { "aria-current": "page" as const } : {})}
      {...(nofollow ? { rel: "nofollow" } : {})}
    >
      {children}
    </a>
  );
}

/** A link that leaves the service. */
export function Outward({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="out" href={href} rel="external">
      {children}
    </a>
  );
}
