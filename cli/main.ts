import { ConfigError } from "../config/config.ts";
import { version } from "../shared/version.ts";
import { CommandError, UsageError } from "./command.ts";
import { readCommandLine, readGiven } from "./command_line.ts";
import { commands } from "./commands.ts";
import { commandHelp, programHelp } from "./help.ts";

/**
 * Does what the command line asks for. Exit code 0: done; 1: it could not be done; 2: the command
 * line or a setting is wrong, and nothing was done.
 */
async function main(words: string[]): Promise<number> {
  const names = Object.keys(commands);
  const asked = readCommandLine(words, names);
  if (asked.kind === "version") return say(version);
  if (asked.kind === "help") return say(await help(asked.command));
  return await run(asked.command, asked.rest);
}

async function run(name: string, rest: string[]): Promise<number> {
  try {
    const { command } = await commands[name].load();
    return await command.run(readGiven(command, rest));
  } catch (error) {
    return explain(error, name);
  }
}

/** The help of a command, of all whose name begins with a word, or of the program. */
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

function say(text: string): number {
  console.log(text);
  return 0;
}

/**
 * The exit code for what went wrong, after saying what it was in as few words as there are.
 *
 * @param command in which it went wrong, whose help is then of use.
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
