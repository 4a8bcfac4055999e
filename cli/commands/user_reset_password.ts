import { type OpenAccounts, userOf, valueOf, withAccounts } from "../open_accounts.ts";
import type { Command } from "../command_line.ts";
import { readConfig } from "@/server/config/config.ts";
import { commandLine } from "@/shared/audit.ts";
import { readPassword } from "../password.ts";
import { accountLinkHours, passwordLength } from "@/shared/limits.ts";

/** `rollcall user reset-password` */
export const command: Command = {
  usage: "EMAIL [--link]",
  about: [
    "Resets a user's password and signs them out everywhere. The command asks for the new password,",
    `at least ${passwordLength.minimum} characters; it can also be piped in as a line. A running server closes the`,
    "user's connections within five seconds. With --link, it prints a link instead, which works once, for",
    `${accountLinkHours} hours: the user sets a password there and is signed in, even with PASSWORD_SIGN_IN=false.`,
  ],
  flags: { link: { about: "Print a link with which the user sets a password" } },
  operands: [1, 1],
  async run({ operands: [email], flags: { link } }) {
    if (link) {
      console.log(await withAccounts((open) => linkFor(open, email)));
      return 0;
    }
    const user = await withAccounts(async (open) => {
      const { accounts, audited } = open;
      const user = await userOf(open, email);
      const password = await readPassword();
      valueOf(await accounts.resetPassword(user.id, password, audited("password_reset")));
      return user;
    });
    console.log(`Reset the password of ${user.email} and signed them out everywhere.`);
    return 0;
  },
};

async function linkFor(open: OpenAccounts, email: string): Promise<string> {
  const { id: userId } = await userOf(open, email);
  const { links } = open.accounts;
  const recorded = open.audited("reset_link_created");
  const { token } = valueOf(await links.reset({ userId, createdBy: commandLine.id }, recorded));
  const { appUrl, basePath } = readConfig();
  return `${appUrl.origin}${basePath}/reset-password/${token}`;
}
