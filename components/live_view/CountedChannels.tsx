import { useEffect, useState } from "react";
import { onlineFeed, useOnline } from "./online_feed.ts";
import { Link } from "../page/links.tsx";
import { ChannelName } from "../presence/ChannelName.tsx";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { type CountedName, type CountedTotals, onlineViewPath } from "@/shared/counted.ts";
import { countText, numberText } from "@/shared/text.ts";

/** The counted channels and the sum of their users. */
export interface CountedChannelsProps {
  /** The counted channels, in their order. */
  names: CountedName[];
  /** The key of the channel that the page shows. */
  shown: string;
  /** The numbers in the HTML. */
  first: CountedTotals;
}

/** The counted channels with their numbers of users, each with a link to its live view, and the sum. */
export function CountedChannels(
  { settings, names, shown, first }: CountedChannelsProps & { settings: ClientSettings },
) {
  const [{ channels, users }, setTotals] = useState(first);
  // Connects the feed.
  useOnline(settings);
  useEffect(() =>
    onlineFeed(settings).listen<CountedTotals>("CountedChanged", (next) => {
      // A list can come after an event that is newer.
      setTotals((before) => next.at < before.at ? before : next);
    }), []);
  const usersOf = new Map(channels.map(({ key, users }) => [key, users]));
  return (
    <div class="counted">
      <nav class="choices" aria-label="Counted channels">
        {names.map(({ key, channel, app }) => (
          <Link key={key} path={onlineViewPath(key)} current={key === shown ? "page" : "false"}>
            <ChannelName channel={channel} app={app} />
            <span class="counted-users">
              {numberText(usersOf.get(key) ?? 0)}
              <span class="visually-hidden">{usersOf.get(key) === 1 ? " user" : " users"}</span>
            </span>
          </Link>
        ))}
      </nav>
      <p class="counted-sum soft">
        <strong>{countText(users, "user")}</strong> in {countText(channels.length, "channel")}
      </p>
    </div>
  );
}
