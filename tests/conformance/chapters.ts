import { closing } from "./chapters/closing.ts";
import { connection } from "./chapters/connection.ts";
import { liveness } from "./chapters/liveness.ts";
import { names } from "./chapters/names.ts";
import { signatures } from "./chapters/signatures.ts";
import { subscribing } from "./chapters/subscribing.ts";

/** Every chapter, in the order of the document. */
export const chapters = [connection, liveness, closing, subscribing, names, signatures];
