import { sendEvent } from "./realtime/api/events.ts";
import type { AppApi } from "./realtime/api/app_api.ts";

/**
 * Sends an event to a channel, so that Echo's `.listen(name)` hears it with the payload. The name is
 * below `App\Events`, with dots between its parts; one that begins with a dot or a backslash is sent as
 * it is, as `.listen` has it.
 *
 * @param channel with its prefix, such as `private-users.1`.
 * @param payload anything that JSON can say.
 * @param options.except the socket id of whoever caused the event and does not get it; Echo sends it
 * in the header `X-Socket-ID`.
 * @throws {ApiRefusal} when a name is malformed or the payload too large; nothing is sent then.
 *
 * @example
 * broadcast("private-users.1", "MailArrived", { unread: 3 }, { except: headers.get("x-socket-id") });
 */
export type Broadcast = (
  channel: string,
  name: string,
  payload?: unknown,
  options?: { except?: string | null },
) => void;

/** Makes the function that broadcasts to the channels of an app; nowhere, while there is no app. */
export function broadcaster(channelsOfApp: () => AppApi | undefined): Broadcast {
  return (channel, name, payload = {}, { except } = {}) => {
    const app = channelsOfApp();
    if (!app) return;
    const data = JSON.stringify(payload);
    sendEvent(app, { channel, name: eventName(name), data, socket_id: except });
  };
}

/** The name on the wire, by the rule that Echo has under the namespace `App.Events`. */
function eventName(name: string): string {
  return /^[.\\]/.test(name) ? name.slice(1) : `App.Events.${name}`.replaceAll(".", "\\");
}
