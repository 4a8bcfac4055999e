import type { UsersView } from "@/components/accounts/UsersPage.tsx";
import { listBlockedGuests } from "@/server/accounts/blocked_guests.ts";
import { searchUsers } from "@/server/accounts/user_search.ts";
import { onlineChannel } from "@/server/presence/channels.ts";
import { accountsById } from "@/server/presence/accounts_by_id.ts";
import type { State } from "./state.ts";

/** How many blocked guests the page lists. */
const maxBlockedGuests = 100;

/** The data of the users page at a URL, with the outcome of a form that was submitted. */
export async function usersView(
  state: State,
  { searchParams }: URL,
  sent: Partial<UsersView> = {},
): Promise<UsersView> {
  state.title = "Users";
  const { accounts, database, ownApp } = state;
  const invites = await accounts.links.invites();
  const creators = await accountsById(
    (ids) => accounts.findAll(ids),
    invites.map(({ createdBy }) => createdBy),
  );
  return {
    list: searchUsers(await accounts.list(), {
      query: searchParams.get("q"),
      page: searchParams.get("page"),
    }),
    online: new Set(ownApp.presence.of(onlineChannel).userIds),
    blocked: await listBlockedGuests(database, maxBlockedGuests),
    invites: invites.map((invite) => ({
      ...invite,
      creator: creators.get(invite.createdBy)?.name ?? null,
    })),
    done: "",
    problem: "",
    ...sent,
  };
}
