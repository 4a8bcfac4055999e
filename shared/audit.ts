/** The actor of actions on the command line, where no one is signed in. */
export const commandLine: Named = { id: "command-line", name: "Command line" };

/** A person or a thing, by its name at the time. */
export interface Named {
  id: string;
  name: string;
}
