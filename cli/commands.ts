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
};
