import type { KnownPerson } from "../people/known_person.ts";
import type { AttendanceEntry, LeaveReason } from "../records/attendance_log.ts";
import { Card } from "./Card.tsx";
import { Time } from "./Time.tsx";

const reasons: Record<LeaveReason, string> = {
  closed: "Closed the last page",
  unsubscribed: "Left",
  timed_out: "Fell silent",
  signed_out: "Signed out",
  removed: "Removed by an admin",
  server_restart: "The server restarted",
};

/** When somebody came and went lately, and where all of it is. */
export function PersonAttendance({ person: { id, attendance } }: { person: KnownPerson }) {
  const query = encodeURIComponent(id);
  return (
    <Card id="attendance" title="Comings and goings">
      {attendance.length === 0 ? <p class="soft">None are kept.</p> : (
        <ol class="comings">
          {attendance.map((entry, index) => (
            <li key={index}>
              <Time at={entry.at} />
              <span>{words(entry)}</span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={`/admin/log?who=${query}`}>All comings and goings</a>
        {" · "}
        <a href={`/admin/log/audit?target=${query}`}>What admins did</a>
      </p>
    </Card>
  );
}

function words(entry: AttendanceEntry): string {
  return entry.change === "joined" ? "Came online" : reasons[entry.reason];
}
