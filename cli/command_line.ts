import { parseArgs } from "node:util";
import { type Command, type Flag, type Given, UsageError } from "./command.ts";

/** What the words of the command line ask for. */
export type Asked =
  | { kind: "version" }
  | { kind: "help"; command?: string }
  | { kind: "run"; command: string; rest: string[] };

const helpFlags = ["--help", "-h"];

/**
 * Finds the command in the words of the command line. No word at all means `serve`.
 *
 * @param names of the commands, of one or two words.
 * @throws {UsageError} when there is no such command.
 */
export function readCommandLine(words: readonly string[], names: readonly string[]): Asked {
  const [first, second] = words;
  if (first === undefined) return { kind: "run", command: "serve", rest: [] };
  if (first === "--version") return { kind: "version" };
  if (helpFlags.includes(first)) return { kind: "help" };
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
      isFlag
        ? `${quoted(first)} needs a command before it`
        : `There is no command ${quoted(first)}`,
    );
  }
  if (helpFlags.includes(second)) return { kind: "help", command: first };
  throw new UsageError(`${first} is followed by ${lastText(longer)}`);
}

/**
 * Reads the flags and arguments of a command.
 *
 * @throws {UsageError} for a flag that is unknown, lacks its value or has one too many, and for too
 * few or too many arguments.
 */
export function readGiven(command: Command, words: string[]): Given {
  const { values, positionals } = parsed(command.flags, words);
  const [least, most] = command.operands;
  if (positionals.length > most) {
    throw new UsageError(`${quoted(positionals[most])} is one argument too many`);
  }
  if (positionals.length < least) {
    throw new UsageError(`An argument is missing: ${command.usage}`);
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
    // What Node says after the first sentence is advice on dashes.
    throw new UsageError(error.message.split(/\. |\n/)[0]);
  }
}

function quoted(word: string): string {
  return JSON.stringify(word);
}

function lastText(names: string[]): string {
  return names.map((name) => name.split(" ").at(-1)).join(", ").replace(/, ([^,]*)$/, " or $1");
}
