import { once } from "node:events";
import net from "node:net";

/** A port of this machine, or a path of the file system. */
type Target = number | string;

/** What passes in one direction of one connection. */
interface Passing {
  /** When it may go on, by the monotonic clock. */
  readonly due: number;
  /** Undefined: the end. */
  readonly chunk: Uint8Array | undefined;
}

/** Connections between two parts, which can be cut, held up and delayed: TCP, or sockets of the file system. */
export class Link implements AsyncDisposable {
  readonly port: number;
  /** Whether new connections are closed at once. */
  isRefusing = false;
  /** The time that each byte takes in each direction, in milliseconds. */
  delayMs = 0;
  readonly #server: net.Server;
  readonly #pairs = new Set<Pair>();
  #isHeld = false;

  private constructor(server: net.Server, port: number, targetOf: () => Target | undefined) {
    this.#server = server;
    this.port = port;
    server.on("connection", (client: net.Socket) => {
      const target = this.isRefusing ? undefined : targetOf();
      if (target === undefined) return void client.on("error", () => {}).destroy();
      const pair = new Pair(client, target, this, () => this.#pairs.delete(pair));
      this.#pairs.add(pair);
    });
  }

  /** @param targetOf where a new connection goes; undefined: nowhere, it is closed */
  static async to(targetOf: () => Target | undefined): Promise<Link> {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Link(server, (server.address() as net.AddressInfo).port, targetOf);
  }

  /** The same at a path of the file system. */
  static async at(path: string, targetOf: () => Target | undefined): Promise<Link> {
    const server = net.createServer({ allowHalfOpen: true });
    server.listen(path);
    await once(server, "listening");
    return new Link(server, 0, targetOf);
  }

  /** Whether nothing passes; what comes meanwhile passes afterwards. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    if (!isHeld) { for (const pair of this.#pairs) pair.flush(); }
  }

  /** Closes connections at both ends. @param chosen which of them; default: all */
  cut(chosen: () => boolean = () => true): void {
    for (const pair of [...this.#pairs].filter(chosen)) pair.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }
}

/** One connection through a link. */
class Pair {
  readonly #sockets: readonly [net.Socket, net.Socket];
  readonly #passing: readonly [Passing[], Passing[]] = [[], []];
  readonly #link: Link;
  #timer?: ReturnType<typeof setTimeout>;
  #left = 2;

  constructor(client: net.Socket, target: Target, link: Link, onEnd: () => void) {
    this.#link = link;
    const place = typeof target === "string"
      ? { path: target }
      : { host: "127.0.0.1", port: target, noDelay: true };
    const options = { ...place, allowHalfOpen: true };
    this.#sockets = [client, net.connect(options)];
    for (const [index, socket] of this.#sockets.entries()) {
      const take = (chunk: Uint8Array | undefined) => {
        this.#passing[index].push({ due: performance.now() + link.delayMs, chunk });
        this.flush();
      };
      socket.on("data", take);
      socket.on("end", () => take(undefined));
      socket.on("error", () => this.destroy());
      socket.on("close", (hadError: boolean) => {
        if (hadError) this.destroy();
        if (--this.#left === 0) onEnd();
      });
    }
  }

  /** Passes on what may go on by now. */
  flush(): void {
    clearTimeout(this.#timer);
    if (this.#link.isHeld) return;
    const now = performance.now();
    let nextDue = Infinity;
    for (const [index, passing] of this.#passing.entries()) {
      const to = this.#sockets[1 - index];
      while (passing.length > 0 && passing[0].due <= now) {
        const { chunk } = passing.shift()!;
        if (to.destroyed) continue;
        if (chunk) to.write(chunk);
        else to.end();
      }
      nextDue = Math.min(nextDue, passing[0]?.due ?? Infinity);
    }
    if (nextDue < Infinity) this.#timer = setTimeout(() => this.flush(), nextDue - now);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    for (const passing of this.#passing) passing.length = 0;
    for (const socket of this.#sockets) socket.destroy();
  }
}
