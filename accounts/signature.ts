import { createHmac } from "node:crypto";

/**
 * The HMAC-SHA-256 of `parts`, base64url. `purpose` keeps a signature made for one thing from being
 * valid for another; the parts are kept apart, so that ("a", "bc") differs from ("ab", "c").
 */
export function sign(secret: string, purpose: string, ...parts: string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify([purpose, ...parts]))
    .digest("base64url");
}
