/** The part of a document that holds the CSRF token. */
export interface TokenSource {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
}

let missingTokenReported = false;

/**
 * The CSRF token of the page. Read at every call, because it changes at sign-in. The first time that
 * it is missing, an error that begins with `CSRF token not found` is logged.
 */
export function csrfToken(
  page: TokenSource = document,
  logError: (message: string) => void = console.error,
): string | null {
  const token = page.querySelector('meta[name="csrf-token"]')?.getAttribute("content") || null;
  if (token === null && !missingTokenReported) {
    missingTokenReported = true;
    logError('CSRF token not found: the page needs <meta name="csrf-token" content="…">.');
  }
  return token;
}

/** The headers that every request of a page to its own server carries, with Laravel's names. */
export function pageHeaders(token: string | null, socketId?: string): Record<string, string> {
  return {
    "X-Requested-With": "XMLHttpRequest",
    ...(token === null ? {} : { "X-CSRF-TOKEN": token }),
    ...(socketId ? { "X-Socket-ID": socketId } : {}),
  };
}

let currentSocketId: () => string | undefined = () => undefined;

/** The headers for a request made now: with the socket's id once the page is connected. */
export function currentPageHeaders(): Record<string, string> {
  return pageHeaders(csrfToken(), currentSocketId());
}

/** Sets where {@link currentPageHeaders} finds the socket id of the page's connection. */
export function setSocketIdSource(source: () => string | undefined): void {
  currentSocketId = source;
}

/**
 * A `fetch` that adds headers to requests to the page's own origin. Requests to other origins pass
 * unchanged: they must carry neither the token nor the socket id.
 */
export function withHeaders(
  fetch: typeof globalThis.fetch,
  origin: string,
  headers: () => Record<string, string>,
): typeof globalThis.fetch {
  return (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== origin) return fetch(input, init);
    for (const [name, value] of Object.entries(headers())) request.headers.set(name, value);
    return fetch(request);
  };
}

let installed = false;

/** Adds the page's headers to every `fetch`. Further calls do nothing. */
export function installPageHeaders(): void {
  if (installed) return;
  installed = true;
  csrfToken();
  globalThis.fetch = withHeaders(globalThis.fetch, location.origin, currentPageHeaders);
}
