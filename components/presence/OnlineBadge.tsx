/** Whether a person is online. */
export function OnlineBadge({ isOnline, isLive = true }: {
  isOnline: boolean;
  /** Whether the page's connection is live. */
  isLive?: boolean;
}) {
  return (
    <span class={`badge ${isOnline && isLive ? "status-live" : "status-away"}`}>
      {isLive
        ? (isOnline ? "Online" : "Offline")
        : `Last known: ${isOnline ? "online" : "offline"}`}
    </span>
  );
}
