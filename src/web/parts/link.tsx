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
  /** Is it one of the many ways to look at the same things, which no crawler has to follow? */
  readonly nofollow?: boolean;
}

/** A link within the service. */
export function Link({ to, children, label, current, nofollow, ...rest }: LinkProps, { root }: Place) {
  return (
    <a
      href={root + to}
      {...rest}
      {...(label === undefined ? {} : { "aria-label": label })}
      {...(current === true ? { "aria-current": "page" as const } : {})}
      {...(nofollow === true ? { rel: "nofollow" } : {})}
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
