import { pathOf } from "@/shared/address.ts";
import { tokenHeader } from "@/shared/wallboard.ts";

/**
 * Whether a request is for a wallboard's page, or from one to join its channel. Its cookies are ignored:
 * the page is not counted, and an admin sees the same as everyone.
 */
export function isWallboardRequest(request: Request, url: URL): boolean {
  const path = pathOf(url);
  return path.startsWith("/wallboard/") ||
    (path === "/broadcasting/auth" && request.headers.has(tokenHeader));
}
