/** The actor of what is done on the command line, where nobody is signed in. */
export const commandLine: Named = { id: "command-line", name: "Command line" };

/** Somebody or something, by its name at that time. */
export interface Named {
  id: string;
  name: string;
}
