import type { Command } from "./command_line.ts";

/** A command whose code is not loaded yet. */
interface Entry {
  /** Its line in the help of the program. */
  summary: string;
  load(): Promise<{ command: Command }>;
}

/** All commands, by name. Each loads its own dependencies, so that the help starts fast and opens nothing. */
export const commands: Record<string, Entry> = {
  "serve": {
    summary: "Run the server",
    load: () => import("./commands/serve.ts"),
  },
  "demo": {
    summary: "Try Rollcall with made-up people; nothing is kept",
    load: () => import("./commands/demo.ts"),
  },
  "check": {
    summary: "Check that clients can connect through the public URL",
    load: () => import("./commands/check.ts"),
  },
  "online": {
    summary: "Print how many are online, and who",
    load: () => onlineCommand("online"),
  },
  "wait": {
    summary: "Wait until few are online",
    load: () => onlineCommand("wait"),
  },
  "message": {
    summary: "Send a message to people who are online",
    load: () => onlineCommand("message"),
  },
  "user add": {
    summary: "Add a user",
    load: () => userCommand("add"),
  },
  "user list": {
    summary: "List the users",
    load: () => userCommand("list"),
  },
  "user limit": {
    summary: "Limit what a user sees to apps and channels",
    load: () => userCommand("limit"),
  },
  "user delete": {
    summary: "Delete a user",
    load: () => userCommand("remove"),
  },
  "user reset-password": {
    summary: "Reset a password",
    load: () => userCommand("resetPassword"),
  },
  "user reset-second-factor": {
    summary: "Take a lost second factor away",
    load: () => userCommand("resetSecondFactor"),
  },
  "person export": {
    summary: "Print all that is stored of a person",
    load: () => personCommand("exportCommand"),
  },
  "person forget": {
    summary: "Delete all that is stored of a person",
    load: () => personCommand("forgetCommand"),
  },
  "token create": {
    summary: "Create a token of the API",
    load: () => tokenCommand("create"),
  },
  "token list": {
    summary: "List the tokens of the API",
    load: () => tokenCommand("list"),
  },
  "token revoke": {
    summary: "Revoke a token of the API",
    load: () => tokenCommand("revoke"),
  },
  "backup": {
    summary: "Back up all data into one file while the server runs",
    load: () => dataCommand("backup"),
  },
  "restore": {
    summary: "Restore from a backup",
    load: () => dataCommand("restore"),
  },
  "migrate": {
    summary: "Move all data from the embedded database to PostgreSQL",
    load: () => dataCommand("migrate"),
  },
};

async function userCommand(
  name: "add" | "list" | "limit" | "remove" | "resetPassword" | "resetSecondFactor",
): Promise<{ command: Command }> {
  return { command: (await import("./commands/user.ts"))[name] };
}

async function tokenCommand(name: "create" | "list" | "revoke"): Promise<{ command: Command }> {
  return { command: (await import("./commands/token.ts"))[name] };
}

async function onlineCommand(name: "online" | "message" | "wait"): Promise<{ command: Command }> {
  return { command: (await import("./commands/online.ts"))[name] };
}

async function personCommand(
  name: "exportCommand" | "forgetCommand",
): Promise<{ command: Command }> {
  return { command: (await import("./commands/person_data.ts"))[name] };
}

async function dataCommand(name: "backup" | "restore" | "migrate"): Promise<{ command: Command }> {
  return { command: (await import("./commands/data.ts"))[name] };
}
