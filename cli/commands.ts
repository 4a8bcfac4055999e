import type { Command } from "./command.ts";

/** A command by its name, before its code is loaded. */
interface Entry {
  /** One line of the help. */
  summary: string;
  load(): Promise<{ command: Command }>;
}

/** All commands. What a command needs is loaded with it alone, so that the help opens nothing. */
export const commands: Record<string, Entry> = {
  "serve": {
    summary: "Serve the pages and the sockets; so does rollcall alone",
    load: () => import("./commands/serve.ts"),
  },
  "check": {
    summary: "Test the way through the public address, step by step",
    load: () => import("./commands/check.ts"),
  },
  "user add": {
    summary: "Add somebody who may sign in",
    load: () => import("./commands/user_add.ts"),
  },
  "user list": {
    summary: "List who may sign in",
    load: () => import("./commands/user_list.ts"),
  },
  "user reset-password": {
    summary: "Give somebody a new password",
    load: () => import("./commands/user_reset_password.ts"),
  },
  "backup": {
    summary: "Copy all data into one file, while the server runs",
    load: () => import("./commands/backup.ts"),
  },
  "restore": {
    summary: "Put a backup in the place of the data",
    load: () => import("./commands/restore.ts"),
  },
  "migrate": {
    summary: "Move all data from the embedded database to PostgreSQL",
    load: () => import("./commands/migrate.ts"),
  },
};
