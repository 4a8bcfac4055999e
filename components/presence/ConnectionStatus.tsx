import type { Presence } from "../../browser/presence/presence.ts";
import { clockText, statusText } from "../../browser/presence/presence_text.ts";

/** How far the number can be trusted: the status, since when, and why it was refused if it was. */
export function Trust({ presence, serverTime }: {
  presence: Presence;
  /**
   * When the server counted, as ISO 8601: it stands in until the first list comes. `null` when
   * nothing was ever counted.
   */
  serverTime: string | null;
}) {
  const { reason } = presence;
  return (
    <>
      <ConnectionStatus presence={presence} serverTime={serverTime} />
      {reason && <p class="notice notice-error" role="alert">{reason}</p>}
    </>
  );
}

/** The same without the reason of a refusal. */
export function ConnectionStatus({ presence: { status, asOf }, serverTime }: {
  presence: Pick<Presence, "status" | "asOf">;
  serverTime: string | null;
}) {
  const trueAt = asOf ?? serverTime;
  return (
    <p class="trust">
      <span class={`badge status-${status}`}>{statusText[status]}</span>
      {trueAt !== null && (
        <TrueAt time={new Date(trueAt)} zone={asOf === null ? "UTC" : "local"} status={status} />
      )}
    </p>
  );
}

function TrueAt(
  { time, zone, status }: { time: Date; zone: "local" | "UTC"; status: Presence["status"] },
) {
  const outdated = status === "stale" || status === "refused";
  return (
    <span>
      {outdated ? "stale since" : "as of"}{" "}
      <time dateTime={time.toISOString()}>{clockText(time.getTime(), zone)}</time>
    </span>
  );
}
