import type { ComponentChildren } from "preact";

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What is wider than a small screen, and scrolls within itself; the keyboard reaches it. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
