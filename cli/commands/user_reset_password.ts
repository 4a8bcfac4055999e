import { userOf, valueOf, withAccounts } from "../accounts.ts";
import type { Command } from "../command.ts";
import { readPassword } from "../password.ts";
import { passwordLength } from "../../shared/limits.ts";

/** Gives a user a new password. */
export const command: Command = {
  usage: "EMAIL",
  about: [
    "Gives somebody a new password, and ends all of their sessions. The password, at least",
    `${passwordLength.minimum} characters, is asked for, or is the first line of the input. A server`,
    "that runs closes their connections within five seconds.",
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
    console.log(`${user.email} has a new password, and is signed out everywhere.`);
    return 0;
  },
};
