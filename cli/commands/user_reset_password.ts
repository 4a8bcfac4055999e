import { userOf, valueOf, withAccounts } from "../open_accounts.ts";
import type { Command } from "../command_line.ts";
import { readPassword } from "../password.ts";
import { passwordLength } from "@/shared/limits.ts";

/** `rollcall user reset-password` */
export const command: Command = {
  usage: "EMAIL",
  about: [
    "Resets a user's password and signs them out everywhere. The command asks for the new password,",
    `at least ${passwordLength.minimum} characters; it can also be piped in as a line. A running server closes the`,
    "user's connections within five seconds.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [email] }) {
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
