import "../page/every_page_scripts.ts";
import { keepSubscribed, sharedEcho } from "../connection/echo.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { messageOf } from "./toasts.ts";
import type { Message } from "@/shared/message.ts";

/**
 * Reports every message to the reader of the page, or to everyone, over the page's one connection.
 *
 * @param viewerId the id under which the reader is counted.
 */
export function connectMessages(
  settings: ClientSettings,
  viewerId: string,
  report: (message: Message) => void,
): void {
  const echo = sharedEcho(settings);
  const take = (payload: unknown) => {
    const message = messageOf(payload);
    if (message) report(message);
  };
  echo.join("chart").listen("MessageSent", take);
  const own = echo.private(`rollcall.users.${viewerId}`).listen("MessageSent", take);
  // The channel of the users online is refused too then, and the page shows that reason.
  keepSubscribed(own, { refused: () => {} });
}
