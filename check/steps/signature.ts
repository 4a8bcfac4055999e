import { randomBytes } from "node:crypto";
import { z } from "zod";
import { signChannel } from "../../realtime/protocol/signature.ts";
import { type Journey, left, type Step } from "../step.ts";
import { SocketClosed } from "../protocol_client.ts";
import { codeOf } from "../printable.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

const presenceData = z.object({ presence: z.object({ count: z.number() }) });

/** What the server said to a subscription; `count` is that of the members, where there are some. */
export type SubscriptionOutcome =
  | { kind: "succeeded"; count?: number }
  | { kind: "refused" }
  | { kind: "silent"; code: string };

/** What this installation signs, the server takes. */
export const signatureStep: Step = {
  name: "signature",
  title: "Signatures",
  needs: ["connection"],
  async run(journey) {
    const name = `rollcall-self-test.${randomBytes(9).toString("base64url")}`;
    const channel = journey.channel = `private-${name}`;
    const privately = await subscribe(journey, channel);
    if (privately.kind !== "succeeded") return signatureVerdict("private", privately);
    const member = JSON.stringify({ user_id: name, user_info: {} });
    return signatureVerdict("presence", await subscribe(journey, `presence-${name}`, member));
  },
};

async function subscribe(
  { client, socketId, target: { app }, patienceMs }: Journey,
  channel: string,
  channelData?: string,
): Promise<SubscriptionOutcome> {
  const opened = left(client);
  opened.send("pusher:subscribe", {
    channel,
    auth: signChannel(app, left(socketId), channel, channelData),
    channel_data: channelData,
  });
  try {
    const { event, data } = await opened.next(
      (frame) =>
        frame.event === "pusher:error" ||
        (frame.channel === channel && frame.event.includes(":subscription_")),
      patienceMs,
    );
    if (event !== "pusher_internal:subscription_succeeded") return { kind: "refused" };
    return { kind: "succeeded", count: presenceData.safeParse(data).data?.presence.count };
  } catch (error) {
    if (error instanceof SocketClosed && error.closing.code >= 4_000) return { kind: "refused" };
    return { kind: "silent", code: codeOf(error) };
  }
}

/** Judges what the server said to a signed subscription to a kind of channel. */
export function signatureVerdict(
  kind: "private" | "presence",
  outcome: SubscriptionOutcome,
): Verdict {
  if (outcome.kind === "refused") {
    return failed(
      `The server refuses what is signed here for a ${kind} channel: it has another secret.`,
      "Let PUSHER_APP_SECRET, or the secret of the app in the list, be the same here and at the " +
        "server. A server has to be restarted to take a new one, or sent SIGHUP where a list has it.",
    );
  }
  if (outcome.kind === "silent") {
    return failed(
      `No answer comes to a subscription to a ${kind} channel (${outcome.code}).`,
      "Let what is in between pass frames on in both directions and at once: no buffering, and no " +
        "scanning of contents in a firewall.",
    );
  }
  if (kind === "presence" && outcome.count !== 1) {
    return failed(
      `A presence channel with one member is said to have ${outcome.count ?? "no"}.`,
      "See what server it is: it does not count as the protocol says.",
    );
  }
  return ok("Private and presence channels open with what is signed here.");
}
