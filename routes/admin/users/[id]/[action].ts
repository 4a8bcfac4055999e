import { HttpError } from "fresh";
import { roleSchema } from "../../../../accounts/input.ts";
import type { Accounts, Result } from "../../../../accounts/accounts.ts";
import { userChannel } from "../../../../channels.ts";
import { invalid } from "../../../../accounts/result.ts";
import { define } from "../../../../define.ts";

type Input = Record<string, unknown>;
type Action = (accounts: Accounts, id: string, input: Input) => Promise<Result>;

/** What an admin can do to a user: the last part of the address names it. */
const actions: Record<string, Action> = {
  async role(accounts, id, { role }) {
    const parsed = roleSchema.safeParse(role);
    return parsed.success ? await accounts.setRole(id, parsed.data) : invalid(parsed.error);
  },
  password: (accounts, id, { password }) => accounts.resetPassword(id, String(password ?? "")),
  disable: (accounts, id) => accounts.setDisabled(id, true),
  enable: (accounts, id) => accounts.setDisabled(id, false),
};

/** Protocol code for connections of a user who may no longer be here: the client does not retry. */
const notAuthorized = 4009;

/** Does it, and leads back to the list of users, which says what came of it. */
export const handler = define.handlers({
  async POST(ctx) {
    const { accounts, realtime, input } = ctx.state;
    const { id, action } = ctx.params;
    if (!Object.hasOwn(actions, action)) throw new HttpError(404);
    const result = await actions[action](accounts, id, input);
    if (result.ok && action === "disable") {
      realtime.closeUser(id, {
        channels: [userChannel(id)],
        code: notAuthorized,
        reason: "This user has been disabled",
      });
    }
    const outcome = result.ok ? `done=${action}` : `problem=${result.reason}`;
    return ctx.redirect(`/admin/users?${outcome}&user=${encodeURIComponent(id)}`, 303);
  },
});
