import { isReserved } from "@/realtime/app_config.ts";
import type { AppApi } from "@/realtime/api/app_api.ts";
import { readEvent } from "@/realtime/api/events.ts";
import { ApiError, forbidden } from "@/realtime/api/api_request.ts";
import { isEncryptedChannel } from "@/realtime/protocol/channel_names.ts";

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
  if (isEncryptedChannel(channel) || isReserved(app.settings, channel)) {
    const message = "Only your own server has the key of an encrypted channel.";
    return { reason: "invalid", field: "event", message };
  }
  if (name.trim() === "") return { reason: "invalid", field: "event", message: "Enter a name." };
  try {
    readEvent(app, { channel, name, data });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const field = error.status === 413 ? "data" : "event";
    return { reason: "invalid", field, message: sentence(error.message) };
  }
}

/** Counts a call of the HTTP API. @returns why the app takes none now */
export function takeTestCall(app: AppApi): TestEventFailure | undefined {
  const refusal = app.takeCall();
  if (!refusal) return undefined;
  const { message } = forbidden(refusal);
  return { reason: "rate_limited", field: "event", message: sentence(message) };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}
