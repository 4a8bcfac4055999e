import { createHash } from "node:crypto";
import type { AppCredentials } from "../realtime/app_config.ts";
import { requestText, signRequest } from "../realtime/protocol/signature.ts";

/** A path of the HTTP API with the query of a POST of this body, signed as Pusher libraries do it. */
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
