import { kindTexts } from "../../browser/online/activity_text.ts";
import { ChangeText } from "./ChangeText.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { Time } from "../frame/Time.tsx";
import type { Activity } from "../../shared/online.ts";

/** Joins and leaves. Each name links to the person's page. */
export function ActivityTable({ entries, source }: {
  entries: Activity[];
  /** The name of your own app, where there are several. */
  source: string | undefined;
}) {
  const kinds = kindTexts(source);
  return (
    <table class="activity-table">
      <thead>
        <tr>
          <th scope="col" class="activity-time">Time</th>
          <th scope="col">Person</th>
          <th scope="col" class="activity-kind">Type</th>
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
              <PersonLink id={entry.id} name={entry.name} />
            </th>
            <td class="activity-kind">{kinds[entry.kind]}</td>
            <td class="activity-change">
              <ChangeText entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
