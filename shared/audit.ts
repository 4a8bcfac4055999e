import { keyText } from "./long_text.ts";
/** The actor of actions on the command line, where no one is signed in. */
export const commandLine: Named = { id: "command-line", name: keyText("Command line") };

/** What the admin log has in the place of a person who was forgotten, whose name and id it keeps no more. */
export const removedPerson: Named = { id: "removed-person", name: keyText("A removed person") };

/** A person or a thing, by its name at the time. */
export interface Named {
  id: string;
  name: string;
}
