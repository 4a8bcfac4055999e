import type { AppView } from "./app_registry.ts";
import type { AppConnection } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";

/** What guides show instead of a secret that is not revealed. */
export const hiddenSecret = "reveal-the-secret-first";

/** An address of which guides are shown. */
export interface GuideAddress {
  id: "here" | "public";
  label: string;
  url: URL;
}

/**
 * The addresses to choose from: where the page is now, and the public one where that is another. A server
 * without a public address has an example.
 *
 * @param publicUrl `APP_URL`.
 * @param origin the origin of the page.
 */
export function guideAddresses(publicUrl: URL, origin: string): GuideAddress[] {
  const here = new URL(publicUrl.pathname, originAt(publicUrl, origin));
  if (!isThisMachine(here.hostname)) return [{ id: "public", label: here.host, url: here }];
  const isPublicKnown = !isThisMachine(publicUrl.hostname);
  const url = isPublicKnown ? publicUrl : new URL("https://rollcall.example.com");
  return [
    { id: "here", label: text`${here.host} (this machine)`, url: here },
    { id: "public", label: isPublicKnown ? url.host : text`A public address`, url },
  ];
}

/** A proxy with TLS sends requests by plain HTTP, with the host and port of the public address. */
function originAt(publicUrl: URL, origin: string): string {
  return new URL(origin).host === publicUrl.host ? publicUrl.origin : origin;
}

/** Whether a host name of a URL means the machine itself. */
export function isThisMachine(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** The connection of an app at an address. @param secret null while it is hidden */
export function connectionAt(
  { id, key }: AppView,
  secret: string | null,
  { protocol, hostname, port, pathname }: URL,
): AppConnection {
  const scheme = protocol === "https:" ? "https" : "http";
  return {
    id,
    key,
    secret: secret ?? hiddenSecret,
    scheme,
    host: hostname,
    port: Number(port) || (scheme === "https" ? 443 : 80),
    path: pathname.replace(/\/$/, ""),
  };
}
