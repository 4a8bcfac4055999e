import { userOf, valueOf, withAccounts } from "../open_accounts.ts";
import { type Command, UsageError } from "../command_line.ts";
import { printable } from "../help.ts";
import { type Limit, limitNamed, limitsText } from "@/shared/permissions.ts";

/** `rollcall user limit` */
export const command: Command = {
  usage: "EMAIL everything|APP|APP/CHANNEL|CHANNEL...",
  about: [
    "Limits what a viewer or moderator sees to apps and counted channels: APP is the ID of an app with",
    "all its channels, CHANNEL a presence channel of the app of Rollcall's own pages. Admins are never",
    "limited. Who may see less than before is signed out; a running server closes their connections",
    "within five seconds. The server need not run. The change is in the admin log.",
  ],
  flags: {},
  operands: [2, 201],
  async run({ operands: [email, ...names] }) {
    const isUnlimited = names.includes("everything");
    if (isUnlimited && names.length > 1) {
      throw new UsageError("everything stands alone, without apps and channels");
    }
    await withAccounts(async (open) => {
      const { accounts, apps: [own], place, recorded } = open;
      const user = await userOf(open, email);
      const limits = isUnlimited ? null : names.map((name) => limitOf(name, own.id));
      const details = { before: limitsText(user.limits), after: limitsText(limits) };
      valueOf(await accounts.setLimits(user.id, limits, recorded("limits_changed", details)));
      console.log(printable(`${user.email} may see ${limitsText(limits)}, in ${place}.`));
    });
    return 0;
  },
};

/** @throws {UsageError} when the text names neither an app nor a channel. */
function limitOf(text: string, ownAppId: string): Limit {
  const limit = text.startsWith("presence-") ? { app: ownAppId, channel: text } : limitNamed(text);
  const { app, channel } = limit;
  const isApp = app !== null && /^[\w.~-]+$/.test(app);
  if (isApp && (channel === null || channel.startsWith("presence-"))) return limit;
  throw new UsageError(
    `${JSON.stringify(text)} is neither the ID of an app nor a presence channel`,
  );
}
