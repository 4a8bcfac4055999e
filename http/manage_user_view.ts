import type { User } from "@/server/accounts/accounts.ts";
import { userIdSchema } from "@/server/accounts/input.ts";
import type { ManageUserView } from "@/components/accounts/ManageUserPage.tsx";
import type { State } from "./state.ts";
import { HttpError } from "fresh";

/**
 * The user whose id is in a URL.
 *
 * @throws {HttpError} 404 when no user has it.
 */
export async function userFromUrl(
  { accounts }: Pick<State, "accounts">,
  { id }: Record<string, string>,
): Promise<User> {
  const user = userIdSchema.safeParse(id).success ? await accounts.find(id) : null;
  if (!user) throw new HttpError(404, "This user doesn't exist.");
  return user;
}

/** The data of the page of a user's account, with the outcome of a form that was submitted. */
export async function manageUserView(
  state: State,
  user: User,
  sent: { done?: string; problem?: string } = {},
): Promise<ManageUserView> {
  state.title = user.name;
  return {
    user,
    isViewer: user.id === state.session?.user.id,
    resetLink: await state.accounts.links.resetLink(user.id),
    done: sent.done ?? "",
    problem: sent.problem ?? "",
  };
}
