import { text } from "@/shared/language.ts";

/** Whether a person is online. */
export function OnlineBadge({ isOnline, isLive = true }: {
  isOnline: boolean;
  /** Whether the page's connection is live. */
  isLive?: boolean;
}) {
  return (
    <span class={`badge ${isOnline && isLive ? "status-live" : "status-away"}`}>
      {isLive
        ? (isOnline ? text`Online` : text`Offline`)
        : isOnline
        ? text`Last known: online`
        : text`Last known: offline`}
    </span>
  );
}
