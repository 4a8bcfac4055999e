import { devNull } from "node:os";
import { isBrokenOff } from "../net/broken_off.ts";
import { logOf } from "../observability/logging.ts";

/**
 * File descriptors that are kept back, so that the process still has some for its own files and its
 * database when connections have taken all others.
 */
class DescriptorReserve {
  readonly #size: number;
  #files: Deno.FsFile[] = [];

  /** @param size how many to keep back. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Keeps the descriptors back. @returns whether as many again are free; if not, none is kept. */
  keep(): boolean {
    try {
      while (this.#files.length < 2 * this.#size) this.#files.push(Deno.openSync(devNull));
    } catch {
      this.release();
      return false;
    }
    this.#close(this.#size);
    return true;
  }

  /** Gives them to the rest of the process. */
  release(): void {
    this.#close(this.#files.length);
  }

  #close(count: number): void {
    for (const file of this.#files.splice(0, count)) file.close();
  }
}

const log = logOf("server");

/** Enough for the database, webhooks and files that are read meanwhile. */
const reservedDescriptors = 32;

/** How long to wait before each attempt to listen again, in ms. */
const retryMs = 250;

/** Where to listen, and with which certificate. */
type ListenOptions = Deno.ServeTcpOptions & Partial<Deno.TlsCertifiedKeyPem>;

/**
 * Accepts connections until `shutdown`. Deno's server ends for good when the process has no file
 * descriptor for a connection. This one then lets go of the port, so that newcomers are refused, and
 * listens again as soon as descriptors are free; connections that are open stay open and are served.
 */
export class Listener {
  readonly #options: ListenOptions;
  readonly #handler: Deno.ServeHandler<Deno.NetAddr>;
  readonly #onInterrupted: () => void;
  readonly #reserve = new DescriptorReserve(reservedDescriptors);
  readonly #port: number;
  #server: Deno.HttpServer<Deno.NetAddr> | undefined;
  #stopped = false;

  /**
   * @param onInterrupted called each time the listener stops accepting connections.
   * @throws {Error} when it cannot listen.
   */
  constructor(
    options: ListenOptions,
    handler: Deno.ServeHandler<Deno.NetAddr>,
    onInterrupted: () => void,
  ) {
    this.#options = options;
    this.#handler = handler;
    this.#onInterrupted = onInterrupted;
    this.#reserve.keep();
    this.#port = this.#listen(options.port ?? 0).addr.port;
  }

  /** The port that it listens on. */
  get port(): number {
    return this.#port;
  }

  /** Accepts no more connections. Resolves after the open requests. */
  async shutdown(): Promise<void> {
    this.#stopped = true;
    await this.#server?.shutdown();
  }

  #listen(port: number): Deno.HttpServer<Deno.NetAddr> {
    const options = { ...this.#options, port, onListen() {}, onError: answerToFailure };
    const server = Deno.serve(options, this.#handler);
    server.finished.catch((error) => this.#interrupted(error));
    return this.#server = server;
  }

  #interrupted(error: unknown): void {
    if (this.#stopped) return;
    this.#server = undefined;
    this.#reserve.release();
    this.#onInterrupted();
    const reason = error instanceof Error ? error.message : String(error);
    log.error("New connections are refused", { reason });
    this.#retryLater(performance.now());
  }

  #retryLater(since: number): void {
    setTimeout(() => {
      if (this.#stopped) return;
      try {
        if (!this.#reserve.keep()) return this.#retryLater(since);
        this.#listen(this.#port);
        const seconds = Math.round((performance.now() - since) / 1_000);
        log.warn("New connections are accepted again", { seconds });
      } catch {
        // The port or the last descriptor is taken: by another process, or by a file of this one.
        this.#retryLater(since);
      }
    }, retryMs);
  }
}

/** Logs an answer that failed, also after its first byte; by itself, Deno would print it. */
function answerToFailure(error: unknown): Response {
  if (!isBrokenOff(error)) {
    log.error("An answer failed", {
      error: error instanceof Error ? error : new Error(`${error}`),
    });
  }
  return new Response("Internal Server Error\n", { status: 500 });
}
