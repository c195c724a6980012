import type { FastifyInstance } from "fastify";

/** Methods of each path. Fastify's router reports only that there is no route for a method and a path. */
export interface RouteTable {
  /** Returns the methods of all routes that match a path (encoded, without query), sorted; empty if none matches. */
  methodsOf(path: string): readonly string[];
}

/** Collects all routes that are added to the server after this call. */
export function collectRoutes(app: FastifyInstance): RouteTable {
  const routes = new Map<string, Route>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set(), refused: new Set() };
    const methods = config?.isRefused === true ? route.refused : route.methods;
    for (const name of [method].flat()) methods.add(name);
    routes.set(url, route);
  });
  return {
    methodsOf(path) {
      const decoded = decodePath(path);
      const matching = [...routes.values()].filter(({ pattern }) => pattern.test(decoded));
      const refused = new Set(matching.flatMap((route) => [...route.refused]));
      const methods = new Set(matching.flatMap((route) => [...route.methods]));
      return [...methods].filter((method) => !refused.has(method)).sort();
    },
  };
}

/** Decodes a path as the router does: `/%6detrics` is `/metrics`, but `%2F` is not a slash. */
export function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

interface Route {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  /** Methods of other routes that match the path too, but do not serve it. */
  readonly refused: Set<string>;
}

/** Returns the pattern of paths of a route (`/a/:b`, `/a/:b([0-9]+)`), with an optional slash at the end. */
function patternOf(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    const [isParameter, pattern = "[^/]+"] = /^:\w+(?:\((.+)\))?$/.exec(segment) ?? [];
    return isParameter === undefined ? quote(segment) : pattern;
  });
  const path = segments.join("/");
  return new RegExp(`^${path.endsWith("/") ? path.slice(0, -1) : path}/?$`);
}

const quote = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
