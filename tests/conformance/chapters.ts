import { closing } from "./chapters/closing.ts";
import { connection } from "./chapters/connection.ts";
import { liveness } from "./chapters/liveness.ts";

/** Every chapter, in the order of the document. */
export const chapters = [connection, liveness, closing];
