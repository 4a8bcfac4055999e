import { roleSchema } from "../../accounts/input.ts";
import { valueOf, withAccounts } from "../accounts.ts";
import { type Command, UsageError } from "../command.ts";
import { readPassword } from "../password.ts";
import { passwordLength } from "../../shared/limits.ts";

/** Adds a user. */
export const command: Command = {
  usage: "EMAIL --name NAME [--role admin|user]",
  about: [
    `Adds somebody who may sign in. The password, at least ${passwordLength.minimum} characters, is asked for, or is`,
    "the first line of the input. It needs no running server, and is written into the audit log.",
  ],
  flags: {
    name: { value: "NAME", about: "What others see" },
    role: { value: "ROLE", about: "admin or user; user by default" },
  },
  operands: [1, 1],
  async run({ operands: [email], flags: { name = "", role = "user" } }) {
    if (name === "") throw new UsageError("--name is missing");
    const known = roleSchema.safeParse(role);
    if (!known.success) {
      throw new UsageError(`--role is ${JSON.stringify(role)}, not admin or user`);
    }
    const password = await readPassword();
    const input = { name: String(name), email, password, role: known.data };
    await withAccounts(async ({ accounts, audited, place }) => {
      const user = valueOf(await accounts.add(input, audited("user_added")));
      console.log(`Added ${user.email} as ${user.role}, in ${place}.`);
    });
    return 0;
  },
};
