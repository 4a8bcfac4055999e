import { useNewest } from "./online_feed.ts";
import { Link } from "../page/links.tsx";
import { ChannelName } from "../presence/ChannelName.tsx";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { type CountedName, type CountedTotals, onlineViewPath } from "@/shared/counted.ts";
import { apartText, countText, numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

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
  const { channels, guests, users } = useNewest(settings, "CountedChanged", first);
  const usersOf = new Map(channels.map(({ key, users }) => [key, users]));
  return (
    <div class="row between">
      <nav class="choices" aria-label={text`Counted channels`}>
        {names.map(({ key, channel, app }) => (
          <Link key={key} path={onlineViewPath(key)} current={key === shown ? "page" : "false"}>
            <ChannelName channel={channel} app={app} />
            <UsersNumber class="counted-users" count={usersOf.get(key) ?? 0} />
          </Link>
        ))}
      </nav>
      <p class="soft counted-sum">
        <strong>{apartText(users, guests) || countText(users, "user")}</strong>{" "}
        {text`in ${numberText(channels.length)} channels, each person counted once`}
      </p>
    </div>
  );
}

/** A number of users and guests, whose unit only screen readers need. */
export function UsersNumber({ count, ...attributes }: { count: number; class: string }) {
  return (
    <span {...attributes}>
      {numberText(count)} <span class="visually-hidden">{text`online`}</span>
    </span>
  );
}
