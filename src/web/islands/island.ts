/** Event of the document after a change of the page in place. Elements that scripts had added may be missing then. */
const CHANGED = "bindery-changed";

/** Attribute of elements that a script added. They are not in pages from the server; changes of the page keep them. */
export const ADDED = "data-added";

/** Parts (islands) by the elements that they added. */
const owners = new WeakMap<Element, Element>();

/** Running changes of the page. */
const changes = new Set<() => void>();

/**
 * Changes the elements of the page, then enhances its parts. During the change, parts may be empty or outside of the
 * document, because new elements are filled later and elements with an id are moved.
 */
export function changePage(change: () => void): void {
  changes.add(change);
  try {
    change();
  } finally {
    changes.delete(change);
  }
  if (changes.size > 0) return;
  removeStrays();
  document.dispatchEvent(new Event(CHANGED));
}

/** Removes added elements that are no longer in the part that added them. The new part adds its own. */
function removeStrays(): void {
  for (const element of document.querySelectorAll(`[${ADDED}]`)) {
    if (owners.get(element)?.contains(element) === false) element.remove();
  }
}

/**
 * A part of a page that works without scripts, and better with them. The server writes the element around the part; it
 * comes to life by itself, also where it comes with a page that was fetched.
 */
export abstract class Island extends HTMLElement {
  readonly #enhance = (): void => this.enhance();

  connectedCallback(): void {
    document.addEventListener(CHANGED, this.#enhance);
    if (changes.size === 0) this.enhance();
  }

  disconnectedCallback(): void {
    document.removeEventListener(CHANGED, this.#enhance);
  }

  /** Adds what scripts can do. Called when the part appears, and whenever its page has changed. */
  protected abstract enhance(): void;

  /** Marks an element as added by this part. */
  protected own<E extends Element>(element: E): E {
    owners.set(element, this);
    return element;
  }

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
