import { href } from "@/shared/address.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { Card } from "../page/Card.tsx";
import { ChangeText } from "../activity/ChangeText.tsx";
import { Time } from "../page/Time.tsx";

/** The recent activity of a person, with links to all of it and to the admin actions. */
export function PersonActivity({ person: { id, activity: entries } }: { person: KnownPerson }) {
  const query = encodeURIComponent(id);
  return (
    <Card id="activity" title="Recent activity">
      {entries.length === 0 ? <p class="soft">No activity recorded.</p> : (
        <ol class="activity-list">
          {entries.map((entry, index) => (
            <li key={index}>
              <Time at={entry.at} />
              <span>
                <ChangeText entry={entry} />
              </span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={href(`/admin/activity?who=${query}`)}>All activity</a>
        {" · "}
        <a href={href(`/admin/audit?target=${query}`)}>Admin actions</a>
      </p>
    </Card>
  );
}
