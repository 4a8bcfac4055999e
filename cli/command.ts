/** Something that the command line can do. */
export interface Command {
  /** What stands after the command's name, such as `FILE [--force]`; empty for nothing. */
  usage: string;
  /** What it does, in the help of the command; whole sentences, a line each. */
  about: string[];
  /** The flags it knows, by their names without dashes. */
  flags: Record<string, Flag>;
  /** How many arguments without dashes it takes, at least and at most. */
  operands: [least: number, most: number];
  /**
   * Does it.
   *
   * @returns the exit code of the process.
   * @throws {UsageError} for a flag or argument that makes no sense.
   * @throws {CommandError} when it cannot be done.
   */
  run(given: Given): Promise<number>;
}

/** A flag of a command. */
export interface Flag {
  /** What its value is, such as `NAME`; absent for a flag without a value. */
  value?: string;
  about: string;
}

/** What was typed after the command's name. */
export interface Given {
  operands: string[];
  /** By the names of the flags: the value, or `true` for a flag without one. */
  flags: Record<string, string | boolean | undefined>;
}

/** The command line is wrong: one line for the console, and exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The command line is right, but it cannot be done: one line for the console, and exit code 1. */
export class CommandError extends Error {
  override name = "CommandError";
}
