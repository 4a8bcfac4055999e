import { isMethod, type Method } from "./handlers.ts";

type RouteMethod = Method | "ALL";

interface Entry<Item> {
  pattern: string;
  items: Map<RouteMethod, Item>;
  /** For patterns with parameters; a path without any is compared as a string. */
  matcher: URLPattern | undefined;
}

/** What the router says of a request. */
export type Match<Item> =
  | {
    kind: "route";
    item: Item;
    pattern: string;
    params: Record<string, string>;
  }
  | { kind: "other methods"; methods: Method[]; pattern: string }
  | { kind: "none" };

/** Finds the route of a request. Paths without parameters win, then the pattern that was added first. */
export class Router<Item> {
  #exact = new Map<string, Entry<Item>>();
  #patterns = new Map<string, Entry<Item>>();

  /** Adds a route; of two for the same method and pattern the first stays. */
  add(method: RouteMethod, pattern: string, item: Item): void {
    const entries = isPattern(pattern) ? this.#patterns : this.#exact;
    const entry = entries.get(pattern) ?? newEntry<Item>(pattern);
    entries.set(pattern, entry);
    if (!entry.items.has(method)) entry.items.set(method, item);
  }

  /** Finds the route for a method and path. HEAD is answered by GET where it has no route of its own. */
  match(method: string, path: string): Match<Item> {
    let others: Entry<Item> | undefined;
    for (const [entry, params] of this.#matching(path)) {
      const item = itemFor(entry, method);
      if (item) return { kind: "route", item, pattern: entry.pattern, params };
      others ??= entry;
    }
    if (!others) return { kind: "none" };
    return {
      kind: "other methods",
      methods: [...others.items.keys()] as Method[],
      pattern: others.pattern,
    };
  }

  *#matching(path: string): Generator<[Entry<Item>, Record<string, string>]> {
    const exact = this.#exact.get(path) ??
      this.#exact.get(path.replace(/(?<=.)\/$/, ""));
    if (exact) yield [exact, {}];
    for (const entry of this.#patterns.values()) {
      const groups = entry.matcher!.exec({ pathname: path })?.pathname.groups;
      if (groups) yield [entry, decoded(groups)];
    }
  }
}

function isPattern(path: string): boolean {
  return /[:*{}()+?]/.test(path);
}

function newEntry<Item>(pattern: string): Entry<Item> {
  const matcher = isPattern(pattern) ? new URLPattern({ pathname: pattern }) : undefined;
  return { pattern, items: new Map(), matcher };
}

/** Throws for a method that Fresh does not know, as Fresh does. */
function itemFor<Item>({ items, pattern }: Entry<Item>, method: string): Item | undefined {
  if (!isMethod(method)) throw new TypeError(`${pattern} cannot be asked with ${method}`);
  return items.get(method) ?? items.get("ALL") ??
    (method === "HEAD" ? items.get("GET") : undefined);
}

/** As decodeURI, which leaves an encoded "/" encoded; throws for what cannot be decoded, as Fresh does. */
function decoded(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, decodeURI(value ?? "")]),
  );
}
