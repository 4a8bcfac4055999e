import { runFlags } from "@/tools/test/configuration.ts";

/**
 * The servers that are measured: a bare loop, Rollcall, Rollcall with every listener attached, with an
 * admin who inspects a channel, and without what lets channels be inspected.
 */
export type ServerKind = "bare" | "rollcall" | "observed" | "inspected" | "unlistened";

/** A server in a process of its own; disposing kills it. */
export class ServerProcess implements AsyncDisposable {
  private constructor(readonly port: number, readonly child: Deno.ChildProcess) {}

  /** Starts a server and waits until it listens. */
  static async start(kind: ServerKind): Promise<ServerProcess> {
    const script = new URL("./server.ts", import.meta.url).pathname;
    const child = new Deno.Command(Deno.execPath(), {
      args: [...runFlags, "-A", "--v8-flags=--expose-gc", script, kind],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    return new ServerProcess(await firstNumber(child.stdout), child);
  }

  /** Microseconds of CPU time that the server used so far. */
  cpu(): Promise<number> {
    return this.#ask("/cpu");
  }

  /** Bytes of memory that the server has when its garbage is collected. */
  memory(): Promise<number> {
    return this.#ask("/memory");
  }

  /** Bytes of memory that the server has now; starts to watch for its peak. */
  watchMemory(): Promise<number> {
    return this.#ask("/watch-memory");
  }

  /** The most bytes of memory that the server had since {@link watchMemory}. */
  peakMemory(): Promise<number> {
    return this.#ask("/peak-memory");
  }

  /** Makes the server send this many events of its own code. Resolves with its CPU time after that. */
  publish(count: number): Promise<number> {
    return this.#ask(`/publish?count=${count}`);
  }

  /** Makes a server that knows no channels forget its members. Resolves with its CPU time. */
  forget(): Promise<number> {
    return this.#ask("/forget");
  }

  async #ask(path: string): Promise<number> {
    return await (await fetch(`http://127.0.0.1:${this.port}${path}`)).json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.status;
  }
}

/** The number on the first line that a process prints. */
export async function firstNumber(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) return Number(text);
  }
  throw new Error("The server did not start");
}
