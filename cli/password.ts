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
  const password = Deno.stdin.isTerminal()
    ? await read({ prompt: "Password: ", silent: true })
    : await firstLine(Deno.stdin.readable);
  if (password === "") {
    throw new UsageError("a password is needed, typed or as a line of the input");
  }
  return password;
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
