import type { Wire } from "../fuzz/wire.ts";

/** The server that is attacked, as a stranger knows it. */
export interface Target {
  port: number;
  /** The public key of an app. */
  key: string;
  /** The email address of an admin. */
  email: string;
  /** The paths of a site tag, as each page of the site has them. */
  siteTag: { script: string; auth: string };
}

/** What one stranger does to a server. */
export interface Attack {
  name: string;
  /** The settings with which it does most. */
  environment?: Record<string, string>;
  /**
   * The limit of open files of the server, where the attack uses them up. New connections are refused then:
   * `/up` is asked on one connection throughout, and newcomers come when the stranger has gone.
   */
  openFiles?: number;
  /** Attacks until the process ends. What it opens may stay open. */
  run(target: Target): Promise<void>;
}

/** The address of the stranger, which the server trusts because it comes from a trusted proxy. */
export const strangerHeaders = { "x-forwarded-for": "203.0.113.9" };

/** Does something again and again, whatever fails. */
export async function repeat(act: () => Promise<unknown>): Promise<never> {
  while (true) {
    await act().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Does something a number of times at once. */
export async function together(count: number, act: (n: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => act(n).catch(() => {})));
}

const encoder = new TextEncoder();

/** Writes text to a connection. */
export async function write(wire: Wire, text: string): Promise<void> {
  await wire.write(encoder.encode(text));
}

/** The first lines of a request of the stranger, up to its body. */
export function requestHead(line: string, headers: Record<string, string>): string {
  const all = { host: "127.0.0.1", ...strangerHeaders, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}
