import { type ApiToken, apiTokenDetails } from "@/server/api/api_tokens.ts";
import { apiScopes, apiScopeText } from "@/shared/api.ts";
import { commandLine } from "@/shared/audit.ts";
import { withAccounts } from "../open_accounts.ts";
import { type Command, CommandError, UsageError } from "../command_line.ts";
import { printable, table } from "../help.ts";

/** `rollcall token create` */
export const create: Command = {
  usage: "NAME --scope count|ids|names|messages|marks [--app ID] [--channel NAME]",
  about: [
    "Creates a token of the API and prints it, once. The server need not run; one that runs knows the",
    "token at once. The change is in the admin log.",
    ...apiScopes.map((scope) => `Scope ${scope}: ${apiScopeText[scope]}.`),
  ],
  flags: {
    scope: { value: "SCOPE", about: "What it lets a program do, as above" },
    app: { value: "ID", about: "The only app that it reads; default: every app" },
    channel: { value: "NAME", about: "The only counted channel that it reads; default: all" },
  },
  operands: [1, 1],
  async run({ operands: [name], flags: { scope, app, channel } }) {
    if (scope === undefined) throw new UsageError("Missing --scope");
    const limits = { app: textOrNull(app), channel: textOrNull(channel) };
    const input = { name, scope: String(scope), ...limits, createdBy: commandLine.id };
    await withAccounts(async ({ apiTokens, place, recorded }) => {
      const written = recorded("api_token_created", apiTokenDetails(input));
      const created = await apiTokens.create(input, written);
      if (!created.ok) {
        const { field, message, reason } = created;
        throw reason === "invalid"
          ? new UsageError(`${field}: ${message.replace(/\.$/, "")}`)
          : new CommandError(message);
      }
      // Apart from the token, which a script may read.
      console.error(`Created a token in ${place}. Copy it now; it won't be shown again.`);
      console.log(created.text);
    });
    return 0;
  },
};

/** `rollcall token list` */
export const list: Command = {
  usage: "[--json]",
  about: ["Lists the tokens of the API, newest first, without what lets a program in."],
  flags: { json: { about: "Print JSON" } },
  operands: [0, 0],
  async run({ flags: { json } }) {
    await withAccounts(async ({ apiTokens, place }) => {
      const tokens = await apiTokens.list();
      console.log(printable(json ? JSON.stringify(tokens, null, 2) : asTable(tokens, place)));
    });
    return 0;
  },
};

/** `rollcall token revoke` */
export const revoke: Command = {
  usage: "ID|NAME",
  about: [
    "Revokes a token of the API. A running server refuses it at once. The change is in the admin log.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [word] }) {
    await withAccounts(async ({ apiTokens, place, recorded }) => {
      const named = (await apiTokens.list()).filter(({ id, name }) => id === word || name === word);
      const [token, ...others] = named;
      const text = JSON.stringify(word);
      if (!token) throw new CommandError(`No token in ${place} has the ID or name ${text}`);
      if (others.length > 0) {
        throw new CommandError(`${named.length} tokens have the name ${text}: state the ID`);
      }
      const revoked = await apiTokens.revoke(token.id, recorded("api_token_revoked"));
      if (!revoked) throw new CommandError(`${text} has just been revoked`);
      console.log(printable(`Revoked ${token.name}.`));
    });
    return 0;
  },
};

function textOrNull(flag: string | boolean | undefined): string | null {
  return flag === undefined || flag === "" ? null : String(flag);
}

function asTable(tokens: ApiToken[], place: string): string {
  if (tokens.length === 0) return `No tokens yet in ${place}.`;
  return table([
    ["ID", "NAME", "SCOPE", "APP", "CHANNEL", "CREATED", "LAST USED"],
    ...tokens.map(({ id, name, scope, app, channel, createdAt, lastUsedAt }) => [
      id,
      name,
      scope,
      app ?? "all",
      channel ?? "all",
      day(createdAt),
      lastUsedAt === null ? "never" : day(lastUsedAt),
    ]),
  ]);
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-01-01".length);
}
