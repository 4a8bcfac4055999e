/** The answer that sends a browser to another address; a path stays on this host. */
export function redirect(location: string, status: number): Response {
  return new Response(null, {
    status,
    headers: { location: withoutOpenRedirect(location) },
  });
}

/** Browsers read `//host` as another host. Fresh lets `/\host` pass, which they read so too. */
function withoutOpenRedirect(location: string): string {
  if (!location.startsWith("/")) return location;
  const [, path, rest] = /^([^?#]*)(.*)$/s.exec(location)!;
  return path.replace(/\/{2,}/g, "/") + rest;
}
