import process from "node:process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError, UsageError } from "./command.ts";

/** More than any password has, in bytes. */
const longestLine = 4_096;

/**
 * A password, from whoever sits at the terminal, where it is not shown, or the first line of what is
 * piped in. Never from a flag: others on the machine see the flags of a process.
 *
 * @throws {UsageError} when none comes.
 * @throws {CommandError} when whoever is asked says no, with Ctrl+C.
 */
export async function readPassword(): Promise<string> {
  const password = Deno.stdin.isTerminal() ? await typed() : await firstLine(Deno.stdin.readable);
  if (password === "") {
    throw new UsageError("A password is needed, typed or as a line of the input");
  }
  return password;
}

/** A line from the terminal, whose echo goes nowhere. The question is not part of the output. */
async function typed(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write("Password: ");
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => reject(new CommandError("Nothing was done")));
      // Ctrl+D, or the end of the terminal.
      lines.once("close", () => resolve(""));
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

async function firstLine(input: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n") || text.length > longestLine) break;
  }
  return text.split(/\r?\n/)[0];
}
