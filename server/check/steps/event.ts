import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type Exchange, exchange } from "../http_exchange.ts";
import { errorCode } from "../printable.ts";
import { signedPost } from "../signed_post.ts";
import { type CheckContext, required, type Step } from "../step.ts";
import { addressBelow, type Target } from "../target.ts";
import { failed, ok, skipped, type Verdict } from "../verdict.ts";

const eventName = "rollcall-check";

const reasonSchema = z.object({ reason: z.string() });

/** Passes when an event that is sent over the HTTP API arrives at the WebSocket. */
export const eventStep: Step = {
  name: "event",
  title: "Event delivery",
  needs: ["signature"],
  async run(context) {
    const { target, timeoutMs } = context;
    if (target.usesExternalServer && !target.isAppIdGiven) {
      return skipped("PUSHER_APP_ID is not set, so no event can be sent.");
    }
    const mark = randomBytes(9).toString("base64url");
    const start = performance.now();
    let response: Exchange;
    try {
      response = await trigger(context, mark);
    } catch (error) {
      return failed(
        `The HTTP API does not respond (${errorCode(error)}).`,
        "Configure the proxy to forward POST requests below `/apps/`, like all others.",
      );
    }
    if (response.status !== 200) return triggerVerdict(target, response);
    try {
      await required(context.client).next(
        ({ event, data }) => event === eventName && data === mark,
        timeoutMs,
      );
      return ok(`Event delivered in ${Math.round(performance.now() - start)} ms.`);
    } catch (error) {
      return failed(
        `The HTTP API accepted the event, but the WebSocket did not receive it (${
          errorCode(error)
        }).`,
        "Configure proxies and firewalls to forward messages immediately: no buffering, and no scanning " +
          "of contents.",
        "If several servers share the address, give them all the same REDIS_URL.",
      );
    }
  },
};

async function trigger(
  { target, channel, timeoutMs }: CheckContext,
  data: string,
): Promise<Exchange> {
  const { app, api } = target;
  const body = JSON.stringify({ name: eventName, channel, data: JSON.stringify(data) });
  const url = addressBelow(api, signedPost(app, `/apps/${app.id}/events`, body));
  return await exchange(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  }, timeoutMs);
}

/** Judges a request to the HTTP API whose status is not 200. */
export function triggerVerdict(
  { usesExternalServer, app }: Pick<Target, "usesExternalServer" | "app">,
  { status, body }: Pick<Exchange, "status" | "body">,
): Verdict {
  const found = `The HTTP API answers with status ${status}`;
  switch (reasonOf(body)) {
    case "expired_timestamp":
      return failed(
        `${found}: the clocks are too far apart.`,
        "Synchronize the clocks of both machines: `timedatectl set-ntp true`.",
      );
    case "over_quota":
      return failed(`${found}: too many requests.`, "Raise API_REQUESTS_PER_SECOND, or try again.");
    case "unknown_app":
      return failed(
        `${found}: it has no app ${app.id}.`,
        "Use the same PUSHER_APP_ID here and on the server.",
      );
    case "invalid_signature":
      return failed(
        `${found}: the signature does not match the path, query and body.`,
        "Pass path, query and body on unchanged: no rewrite, and no decoding of %-escapes.",
      );
  }
  if (usesExternalServer) {
    return failed(
      `${found}.`,
      "Correct PUSHER_APP_ID, PUSHER_APP_KEY or PUSHER_APP_SECRET, or the cluster.",
    );
  }
  if (status === 413) {
    return failed(`${found}.`, "Allow bodies of 1 MB: `client_max_body_size 1m;` in nginx.");
  }
  return failed(
    `${found}, and the response is not Rollcall's.`,
    "Configure the proxy to forward POST requests below `/apps/`, like all others: no `limit_except`, " +
      "and no `location` of their own.",
  );
}

function reasonOf(body: string): string {
  try {
    return reasonSchema.safeParse(JSON.parse(body)).data?.reason ?? "";
  } catch {
    return "";
  }
}
