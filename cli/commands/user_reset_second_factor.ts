import { userOf, valueOf, withAccounts } from "../open_accounts.ts";
import type { Command } from "../command_line.ts";

/** `rollcall user reset-second-factor` */
export const command: Command = {
  usage: "EMAIL",
  about: [
    "Takes the second factor of a user away who lost it, with the recovery codes, and signs them out everywhere.",
    "They sign in with the password alone, and set a new one up: on their account page, or at the sign-in with",
    "REQUIRE_SECOND_FACTOR=true. The server may run: it closes the user's connections within five seconds. The",
    "change is in the admin log.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [email] }) {
    const user = await withAccounts(async (open) => {
      const user = await userOf(open, email);
      const { secondFactors } = open.accounts;
      valueOf(await secondFactors.reset(user.id, open.audited("second_factor_reset")));
      return user;
    });
    console.log(`Reset the second factor of ${user.email} and signed them out everywhere.`);
    return 0;
  },
};
