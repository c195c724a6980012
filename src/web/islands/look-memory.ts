/**
 * Remembers the units and the table columns that a reader chooses. They are in the address of a search, so a link or
 * form that enters a search without them gets them when it is used: there is no second change of the page, and the
 * browser's history and copied addresses are complete. A search that is open keeps its address as it is, which is why
 * a link that somebody sent shows what it says.
 */

/** Key in the browser's storage. */
const KEY = "bindery-look";

/** Parameters of an address. */
type Pairs = readonly (readonly [name: string, value: string])[];

interface RememberedLook {
  /** Chosen units, and whether numbers are shown as deposited, by parameter. */
  readonly units: Readonly<Record<string, string>>;
  /** Parameters of the columns, by path: models have different ones. */
  readonly columns: Readonly<Record<string, Pairs>>;
}

const NOTHING: RememberedLook = { units: {}, columns: {} };

const isOfUnits = (name: string): boolean => name === "numbers" || name.startsWith("unit.");
const isOfColumns = (name: string): boolean => name === "cols" || name === "rows" || name === "matched";

/** Returns whether a path is that of a search of records. A record has an id in place of a model. */
function isSearch(path: string): boolean {
  const root = new URL(document.querySelector<HTMLAnchorElement>("a.brand")!.href).pathname;
  const rest = path.startsWith(root) ? path.slice(root.length) : "";
  return /^(?:user\/)?(?:search|records\/(?![0-9a-z]{5}-[0-9a-z]{5}$)[a-z0-9_-]+)\/?$/i.test(rest);
}

/** Starts to remember choices, and to add them to links and forms. */
export function rememberLook(): void {
  for (const name of ["click", "auxclick"] as const) document.addEventListener(name, addToLink, { capture: true });
  document.addEventListener("formdata", addToForm);
  document.addEventListener("submit", ({ target }) => noteChoice(target as HTMLFormElement), { capture: true });
}

/** Keeps what a form of units or columns chooses. */
function noteChoice(form: HTMLFormElement): void {
  if (!form.matches(".units, .columns")) return;
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const);
  const { units, columns } = readLook();
  if (form.matches(".units")) {
    const chosen = fields.filter(([name]) => isOfUnits(name));
    const all = Object.entries({ ...units, ...Object.fromEntries(chosen) });
    writeLook({ units: Object.fromEntries(all.filter(([, value]) => value !== "")), columns });
  } else {
    const { pathname } = new URL(form.action);
    const chosen = fields.filter(([name, value]) => isOfColumns(name) && value !== "");
    writeLook({ units, columns: { ...columns, [pathname]: chosen } });
  }
}

function addToLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest<HTMLElement | SVGElement>("a[href]") : null;
  if (link === null) return;
  // The href of a link in a picture is no text.
  const url = new URL(link.getAttribute("href")!, document.baseURI);
  const { forget } = link.dataset;
  if (forget === undefined) addTo(link, url);
  else forgetLook(forget, url.pathname);
}

/** Forgets the units, or the columns of a path. */
function forgetLook(part: string, path: string): void {
  const { units, columns } = readLook();
  const others = Object.entries(columns).filter(([each]) => each !== path);
  writeLook(part === "units" ? { units: {}, columns } : { units, columns: Object.fromEntries(others) });
}

function addTo(link: Element, url: URL): void {
  const added = rememberedFor(url);
  if (added.length === 0) return;
  for (const [name, value] of added) url.searchParams.append(name, value);
  link.setAttribute("href", String(url));
}

/** Adds to the fields of a form that leads to a search. */
function addToForm({ target, formData }: FormDataEvent): void {
  const form = target as HTMLFormElement;
  if (form.method !== "get" || form.matches(".units, .columns")) return;
  const url = new URL(form.action);
  for (const [name, value] of formData) url.searchParams.append(name, String(value));
  for (const [name, value] of rememberedFor(url)) formData.append(name, value);
}

/** Returns the remembered parameters that an address lacks. */
function rememberedFor({ origin, pathname, searchParams }: URL): Pairs {
  if (origin !== location.origin || !isSearch(pathname) || searchParams.has("format")) return [];
  const { units, columns } = readLook();
  const names = [...searchParams.keys()];
  const isEntered = !isSearch(location.pathname) && !names.some(isOfUnits);
  const isTable = (parameters: URLSearchParams): boolean => parameters.get("view") === "table";
  const isOpened = isTable(searchParams) && !isTable(new URLSearchParams(location.search)) && !names.some(isOfColumns);
  return [...(isEntered ? Object.entries(units) : []), ...(isOpened ? (columns[pathname] ?? []) : [])];
}

/** Reads what is remembered: nothing if the browser allows no storage. */
function readLook(): RememberedLook {
  try {
    const { units, columns } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<RememberedLook>;
    return { units: units ?? {}, columns: columns ?? {} };
  } catch {
    return NOTHING;
  }
}

function writeLook(look: RememberedLook): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // The browser allows no storage: the choice holds for this search only.
  }
}
