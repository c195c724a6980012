/** Told to the document after the page was changed in place: what scripts had added to its elements may be gone. */
export const CHANGED = "bindery-changed";

/** Marks what a script has put into the page: it is in no page of the server, and stays where that one comes anew. */
export const ADDED = "data-added";

/**
 * A part of a page that works without scripts, and better with them. The server writes the element around the part; it
 * comes to life by itself, also where it comes with a page that was fetched.
 */
export abstract class Island extends HTMLElement {
  readonly #enhance = (): void => this.enhance();

  connectedCallback(): void {
    document.addEventListener(CHANGED, this.#enhance);
    this.enhance();
  }

  disconnectedCallback(): void {
    document.removeEventListener(CHANGED, this.#enhance);
  }

  /** Adds what scripts can do. Called when the part appears, and whenever its page has changed. */
  protected abstract enhance(): void;

  /** The first element that the selector names in this part. */
  protected find<E extends Element>(selector: string): E | undefined {
    return this.querySelector<E>(selector) ?? undefined;
  }
}

/** A click that asks for no other tab, window or file. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);

/** An element that a script adds. */
export function added<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries({ [ADDED]: "", ...attributes })) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
