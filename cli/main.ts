import { ConfigError } from "@/server/config/config.ts";
import { CommandError, readCommandLine, readInput, UsageError } from "./command_line.ts";
import { commands } from "./all_commands.ts";
import { commandHelp, programHelp } from "./help.ts";

/**
 * Runs the command line.
 *
 * @returns the exit code. 0: done; 1: failed; 2: the command line or a setting is invalid, and nothing
 * was changed.
 */
async function main(words: string[]): Promise<number> {
  const names = Object.keys(commands);
  const line = readCommandLine(words, names);
  if (line.kind === "version") return print(await versionLine());
  if (line.kind === "help") return print(await help(line.command));
  return await run(line.command, line.rest);
}

async function run(name: string, rest: string[]): Promise<number> {
  try {
    const { command } = await commands[name].load();
    return await command.run(readInput(command, rest));
  } catch (error) {
    return explain(error, name);
  }
}

/** @param name of a command, or the first word of several; absent for the help of the program. */
async function help(name?: string): Promise<string> {
  if (name !== undefined && name in commands) {
    const { command } = await commands[name].load();
    return commandHelp(name, command);
  }
  const listed = Object.entries(commands)
    .filter(([each]) => name === undefined || each.startsWith(`${name} `))
    .map(([each, { summary }]) => [each, summary]);
  return programHelp(Object.fromEntries(listed));
}

async function versionLine(): Promise<string> {
  const { packagesText, shims } = await import("@/server/observability/shims.ts");
  const { versionText } = await import("@/server/observability/commit.ts");
  return `${versionText}, ${packagesText(shims)}`;
}

function print(text: string): number {
  console.log(text);
  return 0;
}

/**
 * Prints an expected error; throws all others on.
 *
 * @param command the command that failed, whose help the message points to.
 * @returns the exit code.
 */
function explain(error: unknown, command?: string): number {
  if (error instanceof UsageError) {
    const help = command === undefined ? "rollcall --help" : `rollcall ${command} --help`;
    console.error(`rollcall: ${error.message}. Try ${help}`);
    return 2;
  }
  if (error instanceof ConfigError) {
    for (const problem of error.problems) console.error(problem);
    return 2;
  }
  if (error instanceof CommandError) {
    console.error(`rollcall: ${error.message}`);
    return 1;
  }
  throw error;
}

Deno.exit(await main(Deno.args).catch((error) => explain(error)));
