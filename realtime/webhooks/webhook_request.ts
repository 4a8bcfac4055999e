import type { AppCredentials } from "../app_config.ts";
import { signWebhook } from "../protocol/signature.ts";

/** An answer's body is read up to this length, so that its connection can be used again. */
const maxAnswerBytes = 65_536;

/** Sends a webhook's body. @returns the HTTP status of the answer; rejects when there is none */
export type SendWebhook = (
  url: string,
  app: AppCredentials,
  body: string,
  signal: AbortSignal,
) => Promise<number>;

/** The headers of a webhook, with the signature of the app. */
export function webhookHeaders(app: AppCredentials, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-pusher-key": app.key,
    "x-pusher-signature": signWebhook(app, body),
  };
}

/** Posts the body, signed by the app. Follows no redirect, and ignores the body of the answer. */
export const postWebhook: SendWebhook = async (url, app, body, signal) => {
  const response = await fetch(url, {
    method: "POST",
    headers: webhookHeaders(app, body),
    body,
    redirect: "manual",
    signal,
  });
  await discard(response);
  return response.status;
};

/** Never rejects: a failure of the body does not change the status. */
async function discard({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    let bytes = 0;
    while (bytes <= maxAnswerBytes) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    await reader.cancel();
  } catch {
    // It ended early, or took longer than an answer may.
  }
}
