import { connection } from "./browser/connection.ts";
import { format } from "./browser/format.ts";
import { history } from "./browser/history.ts";
import { online } from "./browser/online.ts";
import { page } from "./browser/page.ts";
import { presence } from "./browser/presence.ts";

/** What pages show and do. */
export const browser = [...connection, ...history, ...format, ...online, ...presence, ...page];
