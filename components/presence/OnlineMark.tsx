/** Whether somebody is online, in words and a colour. */
export function OnlineMark({ isOnline, isLive = true }: {
  isOnline: boolean;
  /** Whether it is true now, and not merely when the page last heard. */
  isLive?: boolean;
}) {
  const words = isOnline ? "Online" : "Offline";
  return (
    <span class={`badge ${isOnline && isLive ? "status-live" : "status-away"}`}>
      {isLive ? words : `${words} when last heard`}
    </span>
  );
}
