import { roleSchema } from "@/server/accounts/account_fields.ts";
import { valueOf, withAccounts } from "../open_accounts.ts";
import { type Command, UsageError } from "../command_line.ts";
import { readPassword } from "../password.ts";
import { passwordLength } from "@/shared/limits.ts";
import { roles } from "@/shared/permissions.ts";

const roleList = new Intl.ListFormat("en", { type: "disjunction" }).format(roles);

/** `rollcall user add` */
export const command: Command = {
  usage: "EMAIL --name NAME [--role ROLE]",
  about: [
    `Adds a user. The command asks for the password, at least ${passwordLength.minimum} characters; it can also be`,
    "piped in as a line. The server need not run. The change is in the admin log.",
  ],
  flags: {
    name: { value: "NAME", about: "The name that admins see" },
    role: { value: "ROLE", about: `${roleList}; default: user` },
  },
  operands: [1, 1],
  async run({ operands: [email], flags: { name = "", role = "user" } }) {
    if (name === "") throw new UsageError("Missing --name");
    const result = roleSchema.safeParse(role);
    if (!result.success) {
      throw new UsageError(`--role is ${JSON.stringify(role)}, not ${roleList}`);
    }
    const password = await readPassword();
    const input = { name: String(name), email, password, role: result.data };
    await withAccounts(async ({ accounts, audited, place }) => {
      const user = valueOf(await accounts.add(input, audited("user_added")));
      console.log(`Added ${user.email} as ${user.role}, in ${place}.`);
    }, { mayCreate: true });
    return 0;
  },
};
