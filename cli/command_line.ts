import { parseArgs } from "node:util";

/** A command of `rollcall`. */
export interface Command {
  /** Its arguments and flags, such as `FILE [--force]`; may be empty. */
  usage: string;
  /** Its help: the lines of a text of whole sentences. */
  about: string[];
  /** Its flags, by their names without dashes. */
  flags: Record<string, Flag>;
  /** The least and the greatest number of arguments besides flags. */
  operands: [least: number, most: number];
  /**
   * Runs the command.
   *
   * @returns the exit code of the process.
   * @throws {UsageError} for an invalid flag or argument.
   * @throws {CommandError} when the command fails for a reason that the user can fix.
   */
  run(input: CommandInput): Promise<number>;
}

/** A flag of a command. */
export interface Flag {
  /** What the help calls its value, such as `NAME`; absent for a flag without a value. */
  value?: string;
  /** Its line in the help. */
  about: string;
}

/** The arguments and flags that follow the command's name. */
export interface CommandInput {
  operands: string[];
  /** By the flags' names: the value, or `true` for a flag without one. */
  flags: Record<string, string | boolean | undefined>;
}

/** The command line is invalid: printed as one line, with exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The command cannot be carried out: printed as one line, with exit code 1. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** What a command line requests. */
type CommandLine =
  | { kind: "version" }
  | { kind: "help"; command?: string }
  | { kind: "run"; command: string; rest: string[] };

const helpFlags = ["--help", "-h"];

/**
 * Reads which command is requested; without words, the help of the program.
 *
 * @param names of all commands, each of one or two words.
 * @throws {UsageError} when there is no such command.
 */
export function readCommandLine(words: readonly string[], names: readonly string[]): CommandLine {
  const [first, second] = words;
  if (first === "--version") return { kind: "version" };
  if (first === undefined || helpFlags.includes(first)) return { kind: "help" };
  if (first === "help") return readCommandLine([...words.slice(1), "--help"], names);
  const length = names.includes(`${first} ${second}`) ? 2 : 1;
  const command = words.slice(0, length).join(" ");
  const rest = words.slice(length);
  if (names.includes(command)) {
    const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
    const asksForHelp = rest.slice(0, end).some((word) => helpFlags.includes(word));
    return asksForHelp ? { kind: "help", command } : { kind: "run", command, rest };
  }
  const longer = names.filter((name) => name.startsWith(`${first} `));
  if (longer.length === 0) {
    const isFlag = first.startsWith("-");
    throw new UsageError(
      isFlag ? `${quoted(first)} must follow a command` : `Unknown command ${quoted(first)}`,
    );
  }
  if (helpFlags.includes(second)) return { kind: "help", command: first };
  throw new UsageError(`${first} must be followed by ${lastText(longer)}`);
}

/**
 * Reads the flags and arguments of a command.
 *
 * @throws {UsageError} for an unknown flag, a missing or unexpected value, and too few or too many
 * arguments.
 */
export function readInput(command: Command, words: string[]): CommandInput {
  const { values, positionals } = parsed(command.flags, words);
  const [least, most] = command.operands;
  if (positionals.length > most) {
    throw new UsageError(`Unexpected argument ${quoted(positionals[most])}`);
  }
  if (positionals.length < least) {
    throw new UsageError(`Missing argument: ${command.usage}`);
  }
  return { operands: positionals, flags: values };
}

function parsed(flags: Record<string, Flag>, words: string[]) {
  const options = Object.entries(flags).map(([name, { value }]) =>
    [name, { type: value === undefined ? "boolean" : "string" }] as const
  );
  try {
    return parseArgs({
      args: words,
      options: Object.fromEntries(options),
      allowPositionals: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The rest of Node's message is advice on dashes.
    throw new UsageError(error.message.split(/\. |\n/)[0]);
  }
}

function quoted(word: string): string {
  return JSON.stringify(word);
}

function lastText(names: string[]): string {
  return names.map((name) => name.split(" ").at(-1)).join(", ").replace(/, ([^,]*)$/, " or $1");
}
