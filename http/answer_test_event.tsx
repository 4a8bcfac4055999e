import { STATUS_CODE } from "@std/http/status";
import type { Context } from "fresh";
import { audit } from "@/server/audit/audit.ts";
import { type EventDraft, testEventConfirmation } from "@/components/channels/TestEventForm.tsx";
import { rowOf } from "@/server/channels/stats.ts";
import {
  takeTestCall,
  type TestEventFailure,
  testEventFailure,
} from "@/server/channels/test_event.ts";
import { sendEvent } from "@/realtime/api/events.ts";
import { byteLength } from "@/realtime/protocol/outgoing.ts";
import { channelPath } from "@/shared/channel_list.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";
import { countText } from "@/shared/text.ts";
import type { State } from "./state.ts";
import type { AskedChannel } from "./channel_view.ts";
import { requireConfirmation } from "./confirmation.tsx";
import { refuse, wantsJson } from "./rejection.ts";
import { textField } from "./request.ts";

/** A test event that is to be shown again with what is wrong. */
export interface RefusedEvent {
  draft: EventDraft;
  status: number;
}

/**
 * Answers the form of a test event: checks it by the rules of the HTTP API, asks for confirmation,
 * records it in the admin log, and sends it.
 */
export async function answerTestEvent(
  ctx: Context<State>,
  asked: AskedChannel,
): Promise<Response | RefusedEvent> {
  const { input } = ctx.state;
  const [event, data] = [textField(input, "event").trim(), textField(input, "data")];
  const message = { channel: asked.channel, name: event, data };
  const fault = testEventFailure(asked.api, message);
  if (fault) return refused(ctx, { event, data }, fault);
  const channel = { appId: asked.appId, name: asked.channel };
  const row = rowOf({ id: asked.appId, name: asked.app }, asked.channel, {
    subscriptionCount: 0,
  });
  const question = await requireConfirmation(ctx, testEventConfirmation(row), {
    fields: ["app", "name", "event", "data"],
    back: channelPath(channel),
  });
  if (question) return question;
  const exceeded = exceededLimit(ctx.state) ?? takeTestCall(asked.api);
  if (exceeded) return refused(ctx, { event, data }, exceeded);
  const target = { id: `channel:${asked.channel}`, name: asked.channel };
  const details = { app: asked.app, event, bytes: byteLength(data) };
  await audit(ctx.state, "channel_event_sent", target, details);
  sendEvent(asked.api, message);
  if (wantsJson(ctx.req)) return Response.json({ message: text`Event sent.` });
  return ctx.redirect(href(channelPath(channel, { done: "sent" })), 303);
}

function exceededLimit({ sendingLimit, session }: State): TestEventFailure | undefined {
  const wait = sendingLimit.take(session?.user.id ?? "", Date.now());
  if (wait === 0) return undefined;
  const message = text`You're sending too fast. Try again in ${countText(wait, "second")}.`;
  return { reason: "rate_limited", field: "event", message };
}

function refused(
  { req }: Context<State>,
  typed: Pick<EventDraft, "event" | "data">,
  { field, message, reason }: TestEventFailure,
): Response | RefusedEvent {
  const status = reason === "invalid"
    ? STATUS_CODE.UnprocessableEntity
    : STATUS_CODE.TooManyRequests;
  if (wantsJson(req)) return refuse(status, reason, message);
  return { draft: { ...typed, error: { field, message } }, status };
}
