import { isReserved } from "@/realtime/app_config.ts";
import type { AppApi } from "@/realtime/api/app_api.ts";
import { maxEventNameLength, readEvent } from "@/realtime/api/events.ts";
import { ApiError } from "@/realtime/api/api_request.ts";
import { isEncryptedChannel } from "@/realtime/protocol/channel_names.ts";
import { byteLength, isServersOwnEvent } from "@/realtime/protocol/outgoing.ts";
import { text } from "@/shared/language.ts";

/** An event that an admin sends to see who receives it. */
export interface TestEvent {
  channel: string;
  name: string;
  /** As clients receive it. */
  data: string;
}

/** Why a test event is not sent, as a sentence for the admin. */
export interface TestEventFailure {
  reason: "invalid" | "rate_limited";
  field: "event" | "data";
  message: string;
}

/** Why an event cannot be sent: the rules are the HTTP API's. Undefined when it can. */
export function testEventFailure(app: AppApi, event: TestEvent): TestEventFailure | undefined {
  const { channel, name, data } = event;
  const refuse = (field: TestEventFailure["field"], message: string): TestEventFailure => ({
    reason: "invalid",
    field,
    message,
  });
  if (isEncryptedChannel(channel) || isReserved(app.settings, channel)) {
    return refuse("event", text`Only your own server has the key of an encrypted channel.`);
  }
  if (name.trim() === "") return refuse("event", text`Enter a name.`);
  if (name.length > maxEventNameLength) {
    return refuse("event", text`At most ${maxEventNameLength} characters.`);
  }
  if (isServersOwnEvent(name)) {
    return refuse(
      "event",
      text`Names that begin with pusher:, pusher_internal: or rollcall: are the protocol's own.`,
    );
  }
  const [bytes, most] = [byteLength(data), app.settings.maxEventBytes];
  if (bytes > most) {
    return refuse(
      "data",
      text`The data content of this event exceeds the allowed maximum (${most} bytes): the data of ${name} has ${bytes}.`,
    );
  }
  try {
    readEvent(app, { channel, name, data });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refuse("event", sentence(error.message));
  }
}

/** Counts a call of the HTTP API. @returns why the app takes none now */
export function takeTestCall(app: AppApi): TestEventFailure | undefined {
  const refusal = app.takeCall();
  if (!refusal) return undefined;
  const message = refusal.reason === "over_quota"
    ? text`The app may make ${app.settings.maxApiRequestsPerSecond} calls a second.`
    : text`The app is disabled.`;
  return { reason: "rate_limited", field: "event", message };
}

function sentence(message: string): string {
  const end = message.endsWith(".") ? "" : ".";
  return message.charAt(0).toUpperCase() + message.slice(1) + end;
}
