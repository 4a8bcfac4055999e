import { roleSchema } from "@/server/accounts/account_fields.ts";
import { type OpenAccounts, userOf, valueOf, withAccounts } from "../open_accounts.ts";
import { type Command, UsageError } from "../command_line.ts";
import { readPassword } from "../password.ts";
import { accountLinkHours, passwordLength } from "@/shared/limits.ts";
import {
  type Limit,
  limitNamed,
  limitsOf,
  limitsText,
  may,
  type Reader,
  roles,
} from "@/shared/permissions.ts";
import type { User } from "@/server/accounts/users.ts";
import { printable, table } from "../help.ts";
import { isOfUser } from "@/server/activity/activity_rows.ts";
import type { Database } from "@/server/database/database.ts";
import { removeAccount, removeActivity } from "@/server/privacy/person_removal.ts";
import { commandLine, removedPerson } from "@/shared/audit.ts";
import { readConfig } from "@/server/config/config.ts";

const roleList = new Intl.ListFormat("en", { type: "disjunction" }).format(roles);

/** `rollcall user add` */
export const add: Command = {
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

/** `rollcall user list` */
export const list: Command = {
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

/** `rollcall user limit` */
export const limit: Command = {
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

/** How long a server that runs may take to close the pages of who was deleted and to store it, in ms. */
const leavingMs = 15_000;

/** Between two looks whether it is done, in ms. */
const pauseMs = 250;

/** `rollcall user delete` */
export const remove: Command = {
  usage: "EMAIL",
  about: [
    "Deletes a user's account, sessions, links and activity. The admin log keeps what was done, by and to",
    "“A removed person”. What the user made stays, such as API tokens. A running server closes the user's",
    "connections within five seconds, and the command waits for that. The only admin cannot be deleted.",
    "Backups are not changed.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [email] }) {
    await withAccounts(async (open) => {
      const { apps: [own], database, place } = open;
      const user = await userOf(open, email);
      const { id, role } = user;
      const leaves = await openLeaves(database, id);
      const recorded = open.recorded("user_deleted", { role });
      valueOf(
        await removeAccount(
          database,
          user,
          own.id,
          (transaction) => recorded(transaction, removedPerson),
        ),
      );
      const areStored = await leaves.stored();
      await removeActivity(database, { id, appId: own.id });
      console.log(`Deleted a user in ${place}.`);
      if (!areStored) console.error(lateLeaves(id));
    });
    return 0;
  },
};

const lateLeaves = (id: string) =>
  "No server has stored yet that the user left. If one runs, delete that entry later: " +
  `rollcall person forget ${id}`;

/**
 * The leaves that servers that run will store of a user who is about to be deleted: one of each channel that the user
 * is in.
 *
 * @param pause between two looks.
 */
export async function openLeaves(
  { queries }: Database,
  userId: string,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
): Promise<{ stored(): Promise<boolean> }> {
  const left = () =>
    queries.selectFrom("attendance").where(isOfUser(userId)).where("change", "=", "left");
  const channels = await queries.selectFrom("attending").select("channel")
    .where(isOfUser(userId)).execute();
  const last = await left().select("number").orderBy("number", "desc").limit(1).executeTakeFirst();
  const areStored = async () => {
    const rows = await left().select("channel").where("number", ">", last?.number ?? 0).distinct()
      .execute();
    const stored = new Set(rows.map(({ channel }) => channel));
    return channels.every(({ channel }) => stored.has(channel));
  };
  return {
    async stored() {
      for (let look = 0; look < leavingMs / pauseMs; look++) {
        if (await areStored()) return true;
        await pause();
      }
      return false;
    },
  };
}

/** `rollcall user reset-password` */
export const resetPassword: Command = {
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

/** `rollcall user reset-second-factor` */
export const resetSecondFactor: Command = {
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
