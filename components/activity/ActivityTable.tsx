import { kindTexts } from "./activity_text.ts";
import { ChangeText } from "./ChangeText.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import type { CountedName } from "@/shared/counted.ts";
import { Time } from "../page/Time.tsx";
import type { Activity } from "@/shared/online.ts";

/** Joins and leaves. Each name links to the person's page, if there is one. */
export function ActivityTable({ entries, source, channels, channelOf = [] }: {
  entries: Activity[];
  /** The counted channels, where there are several. */
  channels?: CountedName[];
  /** The key of the channel of each entry. */
  channelOf?: string[];
  /** The name of your own app, where there are several. */
  source: string | undefined;
}) {
  const kinds = kindTexts(source);
  const names = new Map(channels?.map((name) => [name.key, name]));
  return (
    <table class="activity-table">
      <thead>
        <tr>
          <th scope="col" class="activity-time">Time</th>
          <th scope="col">Person</th>
          <th scope="col" class="activity-kind">Type</th>
          {channels && <th scope="col" class="activity-channel">Channel</th>}
          <th scope="col" class="activity-change">Event</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td class="activity-time">
              <Time at={entry.at} after={entries[index - 1]?.at ?? null} />
            </td>
            <th scope="row">
              {entry.isElsewhere
                ? <span dir="auto">{entry.name}</span>
                : <PersonLink id={entry.id} name={entry.name} />}
            </th>
            <td class="activity-kind">
              {entry.isElsewhere ? names.get(channelOf[index])?.app : kinds[entry.kind]}
            </td>
            {channels && (
              <td class="activity-channel">
                <span dir="ltr">{names.get(channelOf[index])?.channel ?? channelOf[index]}</span>
              </td>
            )}
            <td class="activity-change">
              <ChangeText entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
