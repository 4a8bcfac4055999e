import process from "node:process";
import { read } from "read";
import { UsageError } from "./command.ts";

/** More than any password has, in bytes. */
const longestLine = 4_096;

/**
 * A password, from whoever sits at the terminal, where it is not shown, or the first line of what is
 * piped in. Never from a flag: others on the machine see the flags of a process.
 *
 * @throws {UsageError} when none comes.
 */
export async function readPassword(): Promise<string> {
  const password = Deno.stdin.isTerminal() ? await typed() : await firstLine(Deno.stdin.readable);
  if (password === "") {
    throw new UsageError("a password is needed, typed or as a line of the input");
  }
  return password;
}

/** What is typed before the end of the line; nothing when Ctrl-C or Ctrl-D is typed instead. */
async function typed(): Promise<string> {
  // At Ctrl-D the reader lets go of the terminal and settles nothing.
  const isGivenUp = new Promise<string>((resolve) => {
    process.stdin.once("pause", () => setTimeout(resolve, 0, ""));
  });
  const line = read({ prompt: "Password: ", silent: true }).catch((error) => {
    if (error instanceof Error && error.message === "canceled") return "";
    throw error;
  });
  return await Promise.race([line, isGivenUp]);
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
