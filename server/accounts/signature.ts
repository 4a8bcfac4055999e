import { createHmac } from "node:crypto";

/**
 * The HMAC-SHA-256 of `parts`, in base64url. A signature for one `purpose` is not valid for another, and
 * the parts are separated, so that ("a", "bc") differs from ("ab", "c").
 */
export function sign(secret: string, purpose: string, ...parts: string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify([purpose, ...parts]))
    .digest("base64url");
}
