import type { AppConnection } from "@/shared/connect.ts";

/** A text as a string of JavaScript, Python or Go. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text);
}

/** A text as a string of PHP or Ruby, in which nothing is interpolated. */
export function singleQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** A text as a value of Laravel's `.env`, in quotes where it needs them. */
export function dotenvValue(text: string): string {
  if (/^[\w./:[\]-]+$/.test(text)) return text;
  return `"${text.replace(/[\\"$]/g, "\\$&").replaceAll("\r", "\\r").replaceAll("\n", "\\n")}"`;
}

/**
 * The options of pusher-js that say where the server is, as lines. The transports are the ones that Rollcall
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
