import { randomBytes } from "node:crypto";
import { z } from "zod";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { checkPrefix } from "@/shared/connect.ts";
import {
  type CheckContext,
  errorCode,
  failed,
  ok,
  required,
  skipped,
  type Step,
  type Verdict,
} from "../step.ts";
import { signedPost, SocketClosed } from "../protocol_client.ts";
import { type Exchange, exchange } from "../http_exchange.ts";
import { addressBelow, type Target } from "../target.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

const presenceData = z.object({ presence: z.object({ count: z.number() }) });

/** How the server answered a subscription; `count` is the number of members it states. */
type SubscriptionOutcome =
  | { kind: "succeeded"; count?: number }
  | { kind: "refused" }
  | { kind: "silent"; code: string };

/** Passes when the server accepts what this installation signs. */
export const signatureStep: Step = {
  name: "signature",
  get title() {
    return text`Signatures`;
  },
  needs: ["connection"],
  async run(context) {
    const name = `${checkPrefix}${randomBytes(9).toString("base64url")}`;
    const channel = context.channel = `private-${name}`;
    const outcome = await subscribe(context, channel);
    if (outcome.kind !== "succeeded") return () => signatureVerdict("private", outcome);
    const member = JSON.stringify({ user_id: name, user_info: {} });
    const joined = await subscribe(context, `presence-${name}`, member);
    return () => signatureVerdict("presence", joined);
  },
};

async function subscribe(
  context: CheckContext,
  channel: string,
  channelData?: string,
): Promise<SubscriptionOutcome> {
  const { target: { app }, timeoutMs } = context;
  const client = required(context.client);
  client.send("pusher:subscribe", {
    channel,
    auth: signChannel(app, required(context.socketId), channel, channelData),
    channel_data: channelData,
  });
  try {
    const { event, data } = await client.next(
      (frame) =>
        frame.event === "pusher:error" ||
        (frame.channel === channel && frame.event.includes(":subscription_")),
      timeoutMs,
    );
    if (event !== "pusher_internal:subscription_succeeded") return { kind: "refused" };
    return { kind: "succeeded", count: presenceData.safeParse(data).data?.presence.count };
  } catch (error) {
    if (error instanceof SocketClosed && error.close.code >= 4_000) return { kind: "refused" };
    return { kind: "silent", code: errorCode(error) };
  }
}

/** Judges the answer to a signed subscription, by the kind of channel. */
export function signatureVerdict(
  kind: "private" | "presence",
  outcome: SubscriptionOutcome,
): Verdict {
  if (outcome.kind === "refused") {
    return failed(
      kind === "private"
        ? text`The server refuses this installation's signature for a private channel: it has another secret.`
        : text`The server refuses this installation's signature for a presence channel: it has another secret.`,
      longText(
        "Use the same PUSHER_APP_SECRET, or the same secret of the app in the list, here and on the ",
        "server. To apply a new secret, restart the server, or send it SIGHUP if a list contains it.",
      ),
    );
  }
  if (outcome.kind === "silent") {
    return failed(
      kind === "private"
        ? text`The server does not answer a subscription to a private channel (${outcome.code}).`
        : text`The server does not answer a subscription to a presence channel (${outcome.code}).`,
      longText(
        "Configure the proxy to forward messages immediately in both directions, and firewalls not to ",
        "scan their contents.",
      ),
    );
  }
  if (kind === "presence" && outcome.count !== 1) {
    return failed(
      outcome.count === undefined
        ? text`The server reports no members in a presence channel with one member.`
        : text`The server reports ${outcome.count} members in a presence channel with one member.`,
      text`Check which server this is: it does not count members as the protocol requires.`,
    );
  }
  return ok(text`Channel signatures accepted.`);
}

const eventName = "rollcall-check";

const reasonSchema = z.object({ reason: z.string() });

/** Passes when an event that is sent over the HTTP API arrives at the WebSocket. */
export const eventStep: Step = {
  name: "event",
  get title() {
    return text`Event delivery`;
  },
  needs: ["signature"],
  async run(context) {
    const { target, timeoutMs } = context;
    if (target.usesExternalServer && !target.isAppIdGiven) {
      return () => skipped(text`PUSHER_APP_ID is not set, so no event can be sent.`);
    }
    const mark = randomBytes(9).toString("base64url");
    const start = performance.now();
    let response: Exchange;
    try {
      response = await trigger(context, mark);
    } catch (error) {
      return () =>
        failed(
          text`The HTTP API does not respond (${errorCode(error)}).`,
          longText("Configure the proxy to forward POST requests below `/apps/`, like all others."),
        );
    }
    if (response.status !== 200) return () => triggerVerdict(target, response);
    try {
      await required(context.client).next(
        ({ event, data }) => event === eventName && data === mark,
        timeoutMs,
      );
      const milliseconds = Math.round(performance.now() - start);
      return () => ok(text`Event delivered in ${milliseconds} ms.`);
    } catch (error) {
      return () =>
        failed(
          text`The HTTP API accepted the event, but the WebSocket did not receive it (${
            errorCode(error)
          }).`,
          longText(
            "Configure proxies and firewalls to forward messages immediately: no buffering, and no scanning ",
            "of contents.",
          ),
          text`If several servers share the address, give them all the same REDIS_URL.`,
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
  { usesExternalServer, app }: Target,
  { status, body }: Pick<Exchange, "status" | "body">,
): Verdict {
  switch (reasonOf(body)) {
    case "expired_timestamp":
      return failed(
        text`The HTTP API answers with status ${status}: the clocks are too far apart.`,
        longText("Synchronize the clocks of both machines: `timedatectl set-ntp true`."),
      );
    case "over_quota":
      return failed(
        text`The HTTP API answers with status ${status}: too many requests.`,
        text`Raise API_REQUESTS_PER_SECOND, or try again.`,
      );
    case "unknown_app":
      return failed(
        text`The HTTP API answers with status ${status}: it has no app ${app.id}.`,
        text`Use the same PUSHER_APP_ID here and on the server.`,
      );
    case "invalid_signature":
      return failed(
        text`The HTTP API answers with status ${status}: the signature does not match the path, query and body.`,
        text`Pass path, query and body on unchanged: no rewrite, and no decoding of %-escapes.`,
      );
  }
  if (usesExternalServer) {
    return failed(
      text`The HTTP API answers with status ${status}.`,
      text`Correct PUSHER_APP_ID, PUSHER_APP_KEY or PUSHER_APP_SECRET, or the cluster.`,
    );
  }
  if (status === 413) {
    return failed(
      text`The HTTP API answers with status ${status}.`,
      longText("Allow bodies of 1 MB: `client_max_body_size 1m;` in nginx."),
    );
  }
  return failed(
    text`The HTTP API answers with status ${status}, and the response is not Rollcall's.`,
    longText(
      "Configure the proxy to forward POST requests below `/apps/`, like all others: no `limit_except`, ",
      "and no `location` of their own.",
    ),
  );
}

function reasonOf(body: string): string {
  try {
    return reasonSchema.safeParse(JSON.parse(body)).data?.reason ?? "";
  } catch {
    return "";
  }
}
