/** Event of the document after a change of the page in place. Elements added by scripts may be missing then. */
const CHANGED = "bindery-changed";

/** Attribute of elements that a script added. Pages from the server lack them, but changes of the page keep them. */
export const ADDED = "data-added";

/** Islands by the elements that they added. */
const owners = new WeakMap<Element, Element>();

/** Changes of the page in progress. */
const changes = new Set<() => void>();

/**
 * Changes the elements of the page, then enhances its islands. During the change, islands may be empty or outside of
 * the document, because new elements are filled later and elements with an id are moved.
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

/** Removes added elements that are no longer in the island that added them. The new island adds its own. */
function removeStrays(): void {
  for (const element of document.querySelectorAll(`[${ADDED}]`)) {
    if (owners.get(element)?.contains(element) === false) element.remove();
  }
}

/**
 * Part of a page that works without scripts and better with them. The server writes its element, and the browser
 * creates the island when the element appears, also in a fetched page.
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

  /** Adds the features of the script. Called when the island appears and after each change of the page. */
  protected abstract enhance(): void;

  /** Marks an element as added by this island. */
  protected own<E extends Element>(element: E): E {
    owners.set(element, this);
    return element;
  }

  /** Returns the first element in this island that matches a selector. */
  protected find<E extends Element>(selector: string): E | undefined {
    return this.querySelector<E>(selector) ?? undefined;
  }
}

/** Returns whether a click opens its target in the same tab. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);

/** Creates an element marked as added by a script. */
export function createAdded<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries({ [ADDED]: "", ...attributes })) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
