import type { HTMLAttributes } from "preact";

/** Custom elements of src/web/islands. Without scripts, browsers show their content. */
interface IslandElements {
  "live-search": HTMLAttributes<HTMLElement>;
  "hit-selection": HTMLAttributes<HTMLElement>;
  "term-tree": HTMLAttributes<HTMLElement>;
  "query-field": HTMLAttributes<HTMLElement>;
  "query-builder": HTMLAttributes<HTMLElement>;
  "range-brush": HTMLAttributes<HTMLElement>;
  "facet-find": HTMLAttributes<HTMLElement>;
  "facet-later": HTMLAttributes<HTMLElement>;
  "facet-tree": HTMLAttributes<HTMLElement>;
  "copy-text": HTMLAttributes<HTMLElement>;
  "copy-table": HTMLAttributes<HTMLElement>;
  "theme-choice": HTMLAttributes<HTMLElement>;
}

declare module "preact" {
  // The type parameter must be the same as in the extended interface.
  interface LinkHTMLAttributes<T extends EventTarget = HTMLLinkElement> {
    /** Profile of the target (RFC 6906). Signposting uses it, although HTML does not define it. */
    profile?: string | undefined;
  }
  namespace JSX {
    interface IntrinsicElements extends IslandElements {}
  }
}
