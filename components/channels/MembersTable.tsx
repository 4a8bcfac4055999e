import type { ChannelMember } from "@/shared/channel_status.ts";
import { durationText } from "../page/time_text.ts";
import { Counted } from "./Counted.tsx";
import { PersonLink } from "../people/PersonLink.tsx";

/** The members of a presence channel, by name. */
export function MembersTable({ members, now }: {
  members: readonly ChannelMember[];
  /** By the server's clock, in milliseconds since 1970. */
  now: number;
}) {
  return (
    <table class="members-table" aria-labelledby="members-title">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" class="members-id">ID</th>
          <th scope="col" class="members-since">In the channel for</th>
          <th scope="col" class="members-tabs">Connections</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <th scope="row" class="members-name">
              <Name member={member} />
              {member.detail && <span class="soft members-detail" dir="auto">{member.detail}</span>}
            </th>
            <td class="members-id">{member.id}</td>
            <td class="members-since">{durationText(Math.max(0, now - member.since))}</td>
            <td class="members-tabs">
              {member.connections === 0
                ? "Leaving"
                : <Counted count={member.connections} unit="connection" />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A link to Rollcall's own page about the person, or else to the app's. */
function Name({ member: { id, isPerson, name, url } }: { member: ChannelMember }) {
  if (isPerson) return <PersonLink id={id} name={name} />;
  return url ? <a href={url} rel="noreferrer">{name}</a> : <bdi>{name}</bdi>;
}
