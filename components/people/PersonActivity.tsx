import { href } from "../../shared/address.ts";
import type { KnownPerson } from "../../people/known_person.ts";
import { Card } from "../frame/Card.tsx";
import { ChangeText } from "../activity/ChangeText.tsx";
import { Time } from "../frame/Time.tsx";

/** When somebody came and went lately, and where all of it is. */
export function PersonActivity({ person: { id, activity } }: { person: KnownPerson }) {
  const query = encodeURIComponent(id);
  return (
    <Card id="attendance" title="RecentActivity and goings">
      {activity.length === 0 ? <p class="soft">None are kept.</p> : (
        <ol class="comings">
          {activity.map((entry, index) => (
            <li key={index}>
              <Time at={entry.at} />
              <span>
                <ChangeText coming={entry} />
              </span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={href(`/admin/activity?who=${query}`)}>All comings and goings</a>
        {" · "}
        <a href={href(`/admin/audit?target=${query}`)}>What admins did</a>
      </p>
    </Card>
  );
}
