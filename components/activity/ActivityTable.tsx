import { kindText } from "../../browser/online/activity_text.ts";
import { ChangeText } from "./ChangeText.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { Time } from "../frame/Time.tsx";
import type { Activity } from "../../shared/online.ts";

/** Who came and went, and why; each name leads to its bearer. */
export function ActivityTable({ entries }: { entries: Activity[] }) {
  return (
    <table class="log">
      <thead>
        <tr>
          <th scope="col" class="log-time">Time</th>
          <th scope="col">Who</th>
          <th scope="col" class="log-kind">Kind</th>
          <th scope="col" class="log-change">What</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td class="log-time">
              <Time at={entry.at} />
            </td>
            <th scope="row">
              <PersonLink id={entry.id} name={entry.name} />
            </th>
            <td class="log-kind">{kindText[entry.kind]}</td>
            <td class="log-change">
              <ChangeText coming={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
