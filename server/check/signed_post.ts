import { createHash } from "node:crypto";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { requestText, signRequest } from "@/realtime/protocol/signature.ts";

/**
 * Signs a POST to the HTTP API as Pusher's server libraries do.
 *
 * @returns the path with the signed query.
 */
export function signedPost(app: AppCredentials, path: string, body: string): string {
  const query = [
    `auth_key=${app.key}`,
    `auth_timestamp=${Math.floor(Date.now() / 1_000)}`,
    "auth_version=1.0",
    `body_md5=${createHash("md5").update(body).digest("hex")}`,
  ].join("&");
  const signature = signRequest(app, requestText("POST", path, query));
  return `${path}?${query}&auth_signature=${signature}`;
}
