import type { PresenceChannel, PusherLike } from "../types/index.d.ts";
import { attemptMs } from "./waits.ts";

/**
 * Subscribes to a channel again whose subscription failed for now, as while the app's own server starts;
 * pusher-js itself does so only when it connects again.
 *
 * @returns what ends it.
 */
export function keepSubscribed(
  pusher: PusherLike,
  channel: PresenceChannel,
  name: string,
  random = Math.random,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failedAt: number | undefined;
  const succeed = () => failedAt = undefined;
  const fail = (error: unknown) => {
    if (isRefusal(Number(Object(error).status))) return;
    failedAt ??= Date.now();
    clearTimeout(timer);
    timer = setTimeout(
      () => pusher.subscribe(name),
      attemptMs(Date.now() - failedAt, 0, random()),
    );
  };
  channel.bind("pusher:subscription_succeeded", succeed);
  channel.bind("pusher:subscription_error", fail);
  return () => {
    clearTimeout(timer);
    channel.unbind("pusher:subscription_succeeded", succeed);
    channel.unbind("pusher:subscription_error", fail);
  };
}

/** Whether a status says that the same request would be refused again: HTTP's, or a close code. */
function isRefusal(status: number): boolean {
  return status >= 4_000 || status >= 400 && status < 500 && status !== 408 && status !== 429;
}
