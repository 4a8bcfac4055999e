import type { User } from "@/server/accounts/users.ts";
import { withAccounts } from "../open_accounts.ts";
import type { Command } from "../command_line.ts";
import { printable, table } from "../help.ts";
import { limitsOf, limitsText, may, type Reader } from "@/shared/permissions.ts";

/** `rollcall user list` */
export const command: Command = {
  usage: "[--json]",
  about: ["Lists the users, sorted by name."],
  flags: { json: { about: "Print JSON" } },
  operands: [0, 0],
  async run({ flags: { json } }) {
    await withAccounts(async ({ accounts, place }) => {
      const users = await accounts.list();
      console.log(printable(json ? JSON.stringify(users, null, 2) : asTable(users, place)));
    });
    return 0;
  },
};

function asTable(users: User[], place: string): string {
  if (users.length === 0) return `No users yet in ${place}.`;
  return table([
    ["EMAIL", "NAME", "ROLE", "MAY SEE", "SINCE", ""],
    ...users.map(({ email, name, role, limits, createdAt, disabled }) => [
      email,
      name,
      role,
      seenBy({ role, limits }),
      createdAt.toISOString().slice(0, 10),
      disabled ? "disabled" : "",
    ]),
  ]);
}

/** What a user sees of the people online; nothing for who is only counted. */
function seenBy(reader: Reader): string {
  return may(reader.role, "view") ? limitsText(limitsOf(reader)) : "";
}
