import process from "node:process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError, UsageError } from "./command_line.ts";

/** How much of the input is read at most, in characters; longer than any password. */
const maxLength = 4_096;

/**
 * Reads a password: typed at the terminal without echo, or the first line of piped input. Not from a
 * flag, because other users of the machine can see the flags of a process.
 *
 * @throws {UsageError} when the password is empty.
 * @throws {CommandError} when the user presses Ctrl+C.
 */
export async function readPassword(): Promise<string> {
  const password = Deno.stdin.isTerminal() ? await typed() : await firstLine(Deno.stdin.readable);
  if (password === "") {
    throw new UsageError("Missing password: type it, or pipe it in as a line");
  }
  return password;
}

/** Reads a line from the terminal. The prompt goes to stderr, apart from the command's output. */
async function typed(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write("Password: ");
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => reject(new CommandError("Canceled")));
      // Ctrl+D, or the terminal was closed.
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
    if (text.includes("\n") || text.length > maxLength) break;
  }
  return text.split(/\r?\n/)[0];
}
