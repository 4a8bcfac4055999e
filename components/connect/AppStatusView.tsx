import { useEffect, useState } from "react";
import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { countText } from "@/shared/text.ts";
import type { AppStatus, JoinedUser, RejectedAttempt } from "@/shared/connect.ts";
import { fetchJson, onlineFeed, useOnline } from "../live_view/online_feed.ts";
import { PersonLink } from "../people/PersonLink.tsx";
import { type TimeStyle, timeText } from "../page/time_text.ts";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";

/** Who of an app's users joined last, and which clients were rejected, with what to change. */
export function AppStatusView({ status: { hasHadUser, joined, rejected }, style }: {
  status: AppStatus;
  style: TimeStyle;
}) {
  return (
    <div class="stack app-status">
      <p
        class={joined ? "activity-state app-status-joined" : "activity-state"}
        data-state={joined ? "active" : "idle"}
        role="status"
      >
        {joined
          ? <Joined user={joined} style={style} />
          : text`Waiting for the first user of your app…`}
      </p>
      <p class="soft">
        {hasHadUser
          ? (
            <>
              {richText`Admins who watch on Rollcall's own pages are not counted, unless they switch on ${(
                <b>{text`Count me`}</b>
              )} in the ${<a href={href("/admin/online")}>{text`live view`}</a>}.`}
            </>
          )
          : (
            <>
              {longText(
                "Until then, Rollcall's own pages count you, too, so that you see the number move. ",
                "Once your first user has joined, admins only watch.",
              )}
            </>
          )}
      </p>
      {rejected.length > 0 && (
        <ul class="list">
          {rejected.map((attempt) => (
            <li
              class="notice notice-warning stack tight"
              key={`${attempt.title} ${attempt.message}`}
            >
              <Rejected attempt={attempt} style={style} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Joined({ user, style }: { user: JoinedUser; style: TimeStyle }) {
  const { at, id, name, channel, isCounted } = user;
  return (
    <>
      {richText`${isCounted ? <PersonLink id={id} name={name} /> : <b>{name}</b>} joined ${(
        <code>{channel}</code>
      )}`} <ClockTime at={at} style={style} />
      {!isCounted && (
        <span class="soft">
          {richText`The live view counts the members of ${(
            <code>presence-chart</code>
          )} of the default app.`}
        </span>
      )}
    </>
  );
}

function ClockTime({ at, style }: { at: number; style: TimeStyle }) {
  return (
    <time class="soft" dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
      {text`at ${timeText(at, "clock", style)}`}
    </time>
  );
}

function Rejected({ attempt, style }: { attempt: RejectedAttempt; style: TimeStyle }) {
  const { at, times, title, message, remedy, help, signature } = attempt;
  return (
    <>
      <h3>{title}</h3>
      <p class="soft">
        {times > 1 && `${text`${countText(times, "time")}, last`} `}
        <ClockTime at={at} style={style} />
      </p>
      <p>{remedy}</p>
      <p class="soft anywhere" lang="en">{message}</p>
      <p>
        <a href={href(help)}>
          {text`Documentation`}
          <span class="visually-hidden">{`: ${title}`}</span>
        </a>
      </p>
      {signature && (
        <details>
          <summary>{text`What has to be signed`}</summary>
          <dl class="facts app-status-signature">
            <dt>{text`Text`}</dt>
            <dd>
              <code>{signature.signedText}</code>
            </dd>
            <dt>{text`Expected`}</dt>
            <dd>
              <code>{signature.expected}</code>
            </dd>
            <dt>{text`Received`}</dt>
            <dd>
              <code>{signature.received || text`none`}</code>
            </dd>
          </dl>
        </details>
      )}
    </>
  );
}

/** How an app's clients fare, live. @param first the status in the HTML */
export function useAppStatus(
  settings: ClientSettings,
  appId: string,
  first: AppStatus,
): AppStatus {
  const [status, setStatus] = useState(first);
  // Connects the feed; what happened while it was not connected is fetched when it is.
  const { state } = useOnline(settings);
  useEffect(() => {
    let isCurrent = true;
    const address = href(`/admin/settings/connect/status?app=${encodeURIComponent(appId)}`);
    const update = async () => {
      // After a failure, the next notice fetches it again.
      const fetched = await fetchJson<AppStatus>(address);
      if (fetched && isCurrent) setStatus(fetched);
    };
    if (state === "following") void update();
    const stop = onlineFeed(settings).listen("AppsChanged", update);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [state]);
  return status;
}
