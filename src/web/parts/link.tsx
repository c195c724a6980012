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
  /** Is it one of the many ways to look at the same things, which no crawler has to follow? By default with a query. */
  readonly nofollow?: boolean;
}

/** The start of a tree of terms, which `robots.txt` allows too. */
const TREE_START = /^vocabularies\/[^/?]+\?view=tree$/;

/** Does a link lead to one of the many searches and looks of a page, which `robots.txt` keeps crawlers from? */
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
