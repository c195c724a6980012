import { type ComponentChildren, Fragment } from "preact";
import { splitHighlights } from "../notation/rich-text.js";
import type { Place } from "./place.js";

interface LinkProps {
  /** Address relative to the root. */
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly label?: string;
  /** Whether the link leads to the current page. */
  readonly current?: boolean;
  /** Whether crawlers should not follow the link. Default: true for links with a query, which lead to other views. */
  readonly nofollow?: boolean;
  /** Part of the remembered look of searches that scripts forget when the link is followed. */
  readonly "data-forget"?: "units" | "columns";
}

/** Pattern of the start of a vocabulary's tree, which `robots.txt` allows. */
const TREE_START = /^vocabularies\/[^/?]+\?view=tree$/;

/** Returns whether a link has a query that `robots.txt` disallows, because it leads to one of many similar views. */
const hasQuery = (to: string): boolean => to.includes("?") && !TREE_START.test(to);

/** Link within the service. */
export function Link({ to, children, label, current, nofollow = hasQuery(to), ...rest }: LinkProps, { root }: Place) {
  return (
    <a
      href={root + to}
      {...rest}
      aria-label={label}
      aria-current={current === true ? "page" : undefined}
      rel={nofollow ? "nofollow" : undefined}
    >
      {children}
    </a>
  );
}

/** Link to another site. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="out" href={href} rel="external">
      {children}
    </a>
  );
}

/** Link to a vocabulary or a model, with its description. */
interface DescribedLink {
  /** Address relative to the root. */
  readonly to: string;
  readonly title: string;
  /** Short text after the title: a count or a short name. */
  readonly note: string;
  readonly description: string;
}

/** List of links with their descriptions. */
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

/** Lines of code. @param props.what name of the lines for the button that copies them */
export function CodeLines({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="lines">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
      <copy-text data-text={text} data-what={what} />
    </div>
  );
}

/** A text whose only markup is `code` between backticks. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return (
    <>{parts.map((part, i) => (i % 2 === 0 ? <Fragment key={i}>{part}</Fragment> : <code key={i}>{part}</code>))}</>
  );
}

/** A text with highlighted matches. */
export function Highlighted({ html }: { readonly html: string }) {
  const parts = splitHighlights(html);
  return (
    <>{parts.map((part, i) => (i % 2 === 0 ? <Fragment key={i}>{part}</Fragment> : <mark key={i}>{part}</mark>))}</>
  );
}
