import type { AccountView } from "@/components/accounts/account_view.ts";
import type { Refusal } from "@/server/accounts/accounts.ts";
import type { State } from "./state.ts";
import { sessionOf } from "./signed_in.ts";

/** The data of the page of one's own account, with the outcome of a form that was submitted. */
export async function accountView(
  state: State,
  sent: { done?: string; name?: string; refusal?: Refusal } = {},
): Promise<AccountView> {
  state.title = "Your account";
  const { id, user } = sessionOf(state);
  const sessions = await state.accounts.openSessions(user.id);
  const connected = await state.allServers.sessionIds(sessions.map((session) => session.id));
  return {
    csrfToken: state.csrfToken,
    name: sent.name ?? user.name,
    email: user.email,
    role: user.role,
    sessions: sessions
      .map((session) => ({
        ...session,
        isThis: session.id === id,
        isOpen: connected.has(session.id),
      }))
      .sort((one, other) => Number(other.isThis) - Number(one.isThis)),
    done: sent.done ?? "",
    refusal: sent.refusal,
  };
}
