/**
 * What every part of a page may need to know of where it stands. The renderer hands it to each component, beside its
 * properties (`renderToString`'s context). Preact's hooks would do so as well, in twice the time of rendering, and keep
 * what a page was made of until the whole memory is looked through.
 */
export interface Place {
  /**
   * Where the service's root is, seen from the page: `./`, `../`, ... Every link and form of a page begins with it, so
   * that pages work at whatever host, port and path they are opened.
   */
  readonly root: string;
  /** Of the package. */
  readonly version: string;
  /** Base address as clients reach the service, without a slash at its end: for citations and lines of `curl`. */
  readonly site: string;
}

/** No page lies deeper. */
const STEPS_MAX = 16;

/**
 * Returns the `root` of a page that is opened at this path: as many steps up as it has slashes after the first. Every
 * link of the page repeats it, so a deeper path, at which only an error page can be, gets the root of the host.
 */
export function rootFrom(path: string): string {
  const steps = path.split("/", STEPS_MAX + 3).length - 2;
  if (steps < 0 || steps > STEPS_MAX) return "/";
  return "../".repeat(steps) || "./";
}
