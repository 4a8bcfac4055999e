import { parseArgs } from "node:util";
import { type Command, type CommandInput, type Flag, UsageError } from "./command.ts";

/** What a command line requests. */
export type CommandLine =
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
