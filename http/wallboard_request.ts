import { pathOf } from "../shared/address.ts";
import { tokenHeader } from "../shared/wallboard.ts";

/**
 * Whether a request is a wallboard's: for its page, or to join its channel. Who sends it is nobody else
 * then, whatever cookies it has: the page is not counted, and shows an admin no more than anybody.
 */
export function isWallboardRequest(request: Request, url: URL): boolean {
  const path = pathOf(url);
  return path.startsWith("/wallboard/") ||
    (path === "/broadcasting/auth" && request.headers.has(tokenHeader));
}
