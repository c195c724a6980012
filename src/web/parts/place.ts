/**
 * Context of all components of a page. `renderToString` passes it as the second argument. Preact's hooks would take
 * twice the time and keep the data of the page in memory until a major garbage collection.
 */
export interface Place {
  /**
   * Relative address of the service's root, as seen from the page: `./`, `../`, ... Each link and form begins with it,
   * so that pages work at any host, port and path.
   */
  readonly root: string;
  /** Version of the package. */
  readonly version: string;
  /** Description of the service in one line. */
  readonly claim: string;
  /** Public base address of the service without a slash at its end, for citations and `curl` commands. */
  readonly site: string;
  readonly face: Face;
}

/** Title, logo, pages and contact that all pages show: those of Bindery, or those of the folder `BINDERY_SITE`. */
export interface Face {
  readonly title: string;
  /** File name of the logo below `/assets`. Absent: the mark of Bindery. */
  readonly logo?: string | undefined;
  readonly pages: readonly SitePage[];
  readonly contact?: Contact | undefined;
}

/** A page of the operator. */
export interface SitePage {
  /** Name of its file, without the ending. */
  readonly name: string;
  readonly title: string;
}

/** Person or office for the questions of readers. `address` is an e-mail address or a URL. */
export interface Contact {
  readonly name: string;
  readonly address: string;
}

/** Returns the address of a page of the operator, relative to the root. */
export const sitePageAddress = (name: string): string => (name === "about" ? name : `about/${name}`);

/** Returns the target of a link to a contact. */
export const contactHref = ({ address }: Contact): string =>
  /^https?:/i.test(address) ? address : `mailto:${address}`;

/** Maximum depth of pages. */
const STEPS_MAX = 16;

/**
 * Returns the `root` of the page at a path: one step up for each slash after the first. Each link repeats it, so for
 * deeper paths, at which there are only error pages, it is the root of the host.
 */
export function rootFrom(path: string): string {
  const steps = path.split("/", STEPS_MAX + 3).length - 2;
  if (steps < 0 || steps > STEPS_MAX) return "/";
  return "../".repeat(steps) || "./";
}
