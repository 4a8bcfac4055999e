import type { AppConnection } from "@/shared/connect.ts";
import { doubleQuoted } from "./literals.ts";

/**
 * The options of pusher-js that say where the server is, as lines. The transports are those that Rollcall
 * has; a cluster is unused and required.
 */
export function clientOptions({ host, port, scheme, path }: AppConnection): string {
  return `  cluster: "self",
  wsHost: ${doubleQuoted(host)},
  wsPort: ${port},
  wssPort: ${port},
${wsPathLine(path)}  forceTLS: ${scheme === "https"},
  enabledTransports: ["ws", "wss"],
`;
}

/** The option of pusher-js for a server below a path, as a line; empty where there is none. */
export function wsPathLine(path: string): string {
  return path === "" ? "" : `  wsPath: ${doubleQuoted(path)},\n`;
}
