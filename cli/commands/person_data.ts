import { readStoredApps } from "@/server/config/served_apps.ts";
import { personExport } from "@/server/privacy/person_export.ts";
import { removeActivity, removePerson } from "@/server/privacy/person_removal.ts";
import { isStored, namesOf, type StoredPerson } from "@/server/privacy/stored_person.ts";
import { removedPerson } from "@/shared/audit.ts";
import { type Command, CommandError } from "../command_line.ts";
import { type OpenAccounts, withAccounts } from "../open_accounts.ts";

const flags = {
  app: {
    value: "ID",
    about: "The app whose user it is; default: the app of Rollcall's own pages",
  },
};

/** `rollcall person export` */
export const exportCommand: Command = {
  usage: "ID [--app ID]",
  about: [
    "Prints all that is stored of a person, by the ID that the app gave them, as JSON. It has no secret.",
    "The server may run. The export is in the admin log.",
  ],
  flags,
  operands: [1, 1],
  async run({ operands: [id], flags: { app } }) {
    await withAccounts(async (open) => {
      const person = await personWith(open, id, app);
      const [name = id] = await namesOf(open.database.queries, person);
      const recorded = open.recorded("person_exported", appDetail(person));
      await open.database.exclusively((transaction) => recorded(transaction, { id, name }));
      for await (const part of personExport(open.database, person)) {
        await Deno.stdout.write(new TextEncoder().encode(part));
      }
    });
    return 0;
  },
};

/** `rollcall person forget` */
export const forgetCommand: Command = {
  usage: "ID [--app ID]",
  about: [
    "Deletes all that is stored of a person, by the ID that the app gave them: activity, names, messages",
    "and blocks. The admin log keeps what was done, to “A removed person”. A server that runs keeps a block",
    "and what programs follow until its next start: there, the person's page is the better way. Backups",
    "are not changed.",
  ],
  flags,
  operands: [1, 1],
  async run({ operands: [id], flags: { app } }) {
    await withAccounts(async (open) => {
      const person = await personWith(open, id, app);
      if (!person.otherApp && await open.accounts.find(id)) {
        throw new CommandError(
          "This person has an account: delete that on its page",
        );
      }
      const recorded = open.recorded("person_forgotten", appDetail(person));
      await removePerson(open.database, person, {
        async begin(transaction) {
          await recorded(transaction, removedPerson);
          return true;
        },
      });
      const isScrubbed = await removeActivity(open.database, person);
      console.log(`Forgot a person in ${open.place}.`);
      if (isScrubbed) return;
      console.error(
        "Unused parts of the file may still have copies: a backup has none, and can be restored.",
      );
    });
    return 0;
  },
};

async function personWith(
  { apps, database, place }: OpenAccounts,
  id: string,
  app: string | boolean | undefined,
): Promise<StoredPerson> {
  const [own] = apps;
  const names = [...apps, ...await readStoredApps(database.queries)];
  const other = app !== undefined && app !== own.id ? String(app) : undefined;
  const person = other === undefined ? { id, appId: own.id } : {
    id,
    appId: other,
    otherApp: [
      other,
      ...names.filter((app) => app.id === other).flatMap(({ name }) => name ?? []),
    ],
  };
  if (await isStored(database.queries, person)) return person;
  throw new CommandError(
    `Nothing in ${place} is of a person with the ID ${JSON.stringify(id)}`,
  );
}

function appDetail({ appId, otherApp }: StoredPerson): { app?: string } {
  return otherApp ? { app: otherApp.at(-1) ?? appId } : {};
}
