import { randomBytes } from "node:crypto";
import { z } from "zod";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { checkPrefix } from "@/shared/app_status.ts";
import { errorCode } from "../printable.ts";
import { SocketClosed } from "../protocol_client.ts";
import { type CheckContext, required, type Step } from "../step.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

const presenceData = z.object({ presence: z.object({ count: z.number() }) });

/** How the server answered a subscription; `count` is the number of members it states. */
export type SubscriptionOutcome =
  | { kind: "succeeded"; count?: number }
  | { kind: "refused" }
  | { kind: "silent"; code: string };

/** Passes when the server accepts what this installation signs. */
export const signatureStep: Step = {
  name: "signature",
  title: "Signatures",
  needs: ["connection"],
  async run(context) {
    const name = `${checkPrefix}${randomBytes(9).toString("base64url")}`;
    const channel = context.channel = `private-${name}`;
    const outcome = await subscribe(context, channel);
    if (outcome.kind !== "succeeded") return signatureVerdict("private", outcome);
    const member = JSON.stringify({ user_id: name, user_info: {} });
    return signatureVerdict("presence", await subscribe(context, `presence-${name}`, member));
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
      `The server refuses this installation's signature for a ${kind} channel: it has another secret.`,
      "Use the same PUSHER_APP_SECRET, or the same secret of the app in the list, here and on the " +
        "server. To apply a new secret, restart the server, or send it SIGHUP if a list contains it.",
    );
  }
  if (outcome.kind === "silent") {
    return failed(
      `The server does not answer a subscription to a ${kind} channel (${outcome.code}).`,
      "Configure the proxy to forward messages immediately in both directions, and firewalls not to " +
        "scan their contents.",
    );
  }
  if (kind === "presence" && outcome.count !== 1) {
    return failed(
      `The server reports ${outcome.count ?? "no"} members in a presence channel with one member.`,
      "Check which server this is: it does not count members as the protocol requires.",
    );
  }
  return ok("Channel signatures accepted.");
}
