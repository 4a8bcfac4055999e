import { Notice } from "../page/fields.tsx";
import type { ComponentChildren, ComponentType } from "preact";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Role } from "@/server/accounts/accounts.ts";
import type { BlockedGuest } from "@/server/accounts/guest.ts";
import type { UserPage } from "@/server/accounts/users.ts";
import { AddUserForm } from "./AddUserForm.tsx";
import { BlockedGuests, BlockedPeople, type BlockedPeopleView } from "./BlockedPeople.tsx";
import { InviteCard, type InviteRow, type RefusedInvite } from "./InviteCard.tsx";
import type { LimitGroup } from "./LimitsForm.tsx";
import type { PersonInput } from "../page/fields.tsx";
import { UsersTable } from "./UsersTable.tsx";
import { text } from "@/shared/language.ts";

/** What the users page shows. */
export interface UsersView {
  /** The id of the reader. */
  viewerId: string;
  settings: ClientSettings;
  list: UserPage;
  /** The ids of the users online. */
  online: ReadonlySet<string>;
  blocked: BlockedGuest[];
  /** Absent with an external Pusher server, which lets everyone in. */
  blockedPeople?: BlockedPeopleView;
  invites: InviteRow[];
  /** What a person who is invited can be limited to. */
  limits: LimitGroup[];
  /** Whether invitations are sent. */
  sendsMail: boolean;
  /** The outcome of the last action, as a sentence; empty for none. */
  done: string;
  /** Why the last action was refused; empty if it was not. */
  problem: string;
  refusedInvite?: RefusedInvite;
  refusedUser?: PersonInput & { role?: Role };
}

/** The users, the open invitations, and the forms that add users. */
export function UsersPage({ csrfToken, view, status: Status, made }: {
  csrfToken: string;
  view: UsersView;
  /** Whether a user is online: an island. */
  status: ComponentType<{ settings: ClientSettings; id: string; initial: boolean }>;
  /** The address of an invitation that was just made. */
  made?: ComponentChildren;
}) {
  const { done, problem, list, invites, blocked, blockedPeople, refusedInvite, refusedUser } = view;
  return (
    <>
      <h1>{text`Team`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {problem && <Notice tone="error">{problem}</Notice>}
      {made && <div class="notice notice-success stack" role="status">{made}</div>}
      <UsersTable
        list={list}
        viewerId={view.viewerId}
        statusOf={({ id }) => (
          <Status settings={view.settings} id={id} initial={view.online.has(id)} />
        )}
      />
      <InviteCard
        csrfToken={csrfToken}
        invites={invites}
        limits={view.limits}
        sendsMail={view.sendsMail}
        refused={refusedInvite}
      />
      <AddUserForm csrfToken={csrfToken} {...refusedUser} />
      {blockedPeople && <BlockedPeople csrfToken={csrfToken} view={blockedPeople} />}
      <BlockedGuests guests={blocked} />
    </>
  );
}
