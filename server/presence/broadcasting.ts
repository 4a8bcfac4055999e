import { sendEvent } from "@/realtime/api/events.ts";
import type { AppApi } from "@/realtime/api/app_api.ts";
import type { App } from "@/realtime/server.ts";

/**
 * Sends an event to a channel, so that Echo's `.listen(name)` receives it with the payload. The name is
 * relative to `App\Events`, with dots between its parts; a name that begins with a dot or a backslash is
 * sent without it, as `.listen` expects.
 *
 * @param channel with its prefix, such as `private-rollcall.users.1`.
 * @param payload any value that JSON can hold.
 * @param options.except the socket id of the page that caused the event, which does not receive it; Echo
 * sends it in the header `X-Socket-ID`.
 * @throws {ApiRefusal} when a name is malformed or the payload too large; then nothing is sent.
 *
 * @example
 * broadcast("private-rollcall.users.1", "MailArrived", { unread: 3 }, { except: headers.get("x-socket-id") });
 */
export type Broadcast = (
  channel: string,
  name: string,
  payload?: unknown,
  options?: { except?: string | null },
) => void;

/** Makes the function that broadcasts to the channels of an app, and does nothing while there is no app. */
export function broadcaster(channelsOfApp: () => AppApi | undefined): Broadcast {
  return (channel, name, payload = {}, { except } = {}) => {
    const app = channelsOfApp();
    if (!app) return;
    const data = JSON.stringify(payload);
    sendEvent(app, { channel, name: eventName(name), data, socket_id: except });
  };
}

/**
 * Sends an event as {@link Broadcast} does, to the subscribers that are connected to this server only, and of
 * any size.
 */
export type BroadcastHere = (channel: string, name: string, payload: unknown) => void;

/** Makes the function that broadcasts to the channels of an app on this server. */
export function hereBroadcaster(ownApp: () => Pick<App, "publishHere">): BroadcastHere {
  return (channel, name, payload) => ownApp().publishHere(channel, eventName(name), payload);
}

/** The name on the wire, by Echo's rule for the namespace `App.Events`. */
function eventName(name: string): string {
  return /^[.\\]/.test(name) ? name.slice(1) : `App.Events.${name}`.replaceAll(".", "\\");
}
