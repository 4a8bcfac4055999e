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
  /** The placeholder of its value, such as `NAME`; absent for a flag without a value. */
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
