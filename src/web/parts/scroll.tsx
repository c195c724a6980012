import type { ComponentChildren } from "preact";

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * What is wider than a small screen, and scrolls within itself; the keyboard reaches it. A group, not a region: those
 * are landmarks, of which each has a name of its own, and a record has several tables of one kind.
 */
export function Scroll({ label, children }: ScrollProps) {
  return (
    <div class="scroll" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
