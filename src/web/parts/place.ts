import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** What every part of a page may need to know of where it stands. */
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

export const PlaceContext = createContext<Place>({ root: "./", version: "", site: "" });

/** The place of the page that is rendered. */
export const usePlace = (): Place => useContext(PlaceContext);

/** The `root` of a page that is opened at this path: as many steps up as it has slashes after the first. */
export function rootFrom(path: string): string {
  return "../".repeat(path.split("/").length - 2) || "./";
}
