import type { TimeStyle } from "../page/time_text.ts";
import { href } from "@/shared/address.ts";
import type { PersonMoment } from "@/shared/person.ts";
import { Card } from "../page/Card.tsx";
import { PersonTime } from "./PersonTime.tsx";

/** The recent activity of a person, with links to all of it and to the admin actions. */
export function PersonActivity({ id, moment: { activity, at: now }, style }: {
  id: string;
  moment: Pick<PersonMoment, "activity" | "at">;
  style: TimeStyle;
}) {
  const query = encodeURIComponent(id);
  return (
    <Card id="activity" title="Recent activity">
      {activity.length === 0
        ? <p class="soft">No activity recorded.</p>
        : (
          <ol class="activity-list">
            {activity.map((entry) => (
              <li key={`${entry.at} ${entry.change}`}>
                <PersonTime at={entry.at} now={now} style={style} />
                <span>
                  <span class={`change change-${entry.change}`}>{entry.text}</span>{" "}
                  {entry.reason && <span class="soft">{entry.reason}</span>}
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
