import { Rollcall } from "../../fixtures/rollcall.ts";
import { runFlags } from "../../../tools/test/configuration.ts";
import type { Link } from "./link.ts";

/** How the process of a server is meant to be. */
export type ServerState = "down" | "starting" | "running" | "frozen" | "stopping";

/** The links of a server. They stay when its process is replaced. */
export interface ServerLinks {
  /** From clients. */
  readonly clients: Link;
  /** To Redis, or to the coordinator of workers. */
  readonly redis: Link;
  readonly postgres: Link;
}

/** The place of a server, in which one process after the other serves. */
export class Server {
  readonly name: string;
  readonly links: ServerLinks;
  state: ServerState = "down";
  /** The first half of the ids of its sockets. */
  number = "";
  port: number | undefined;
  /** How long the last {@link stop} took, in milliseconds. */
  stoppedInMs = 0;
  #process: Rollcall | undefined;
  #isOlder: boolean;
  /** How much of its output was looked through. */
  #read = 0;
  readonly #options: ServerOptions;

  constructor(name: string, links: ServerLinks, options: ServerOptions) {
    this.name = name;
    this.links = links;
    this.#options = options;
    this.#isOlder = options.olderRelease !== undefined;
  }

  /** Whether its process is of the older release. */
  get isOlder(): boolean {
    return this.#isOlder;
  }

  /** Whether clients can be sent here. */
  get isServing(): boolean {
    return this.state === "running";
  }

  /**
   * A place of the older release has it for its first process, and this release from then on, as the database does not
   * let the older one start again.
   *
   * @throws {Error} with its output, when it ends before it listens
   */
  async start(): Promise<void> {
    this.state = "starting";
    this.#isOlder = this.#isOlder && this.#process === undefined;
    this.#process = undefined;
    const { environment, dataFolder, numberOf, onEnd } = this.#options;
    const command = this.#command();
    try {
      const started = await Rollcall.startCommand(
        // It ends with this process, however that ends.
        ["setpriv", "--pdeathsig=KILL", "--", ...command],
        environment(this),
        dataFolder,
      );
      this.#process = started;
      this.#read = 0;
      this.port = Number(new URL(started.origin).port);
      this.number = await numberOf(this.port);
      this.state = "running";
      started.status.then(({ code, signal }) => {
        if (this.#process !== started) return;
        if (this.state === "running" || this.state === "frozen") {
          this.state = "down";
          onEnd(this, `code ${code}, signal ${signal}:\n${lastLines(started.log)}`);
        }
      });
    } catch (error) {
      this.#process?.kill();
      this.state = "down";
      throw error;
    }
  }

  #command(): string[] {
    const { isShort, isWorker, dataFolder, olderRelease } = this.#options;
    const entry = isShort ? "tests/chaos/installation/short_lease.ts" : "cli/serve.ts";
    const program = [Deno.execPath(), ...runFlags, "--unstable-net", "-A", entry];
    if (olderRelease !== undefined && this.#isOlder) {
      return ["env", `--chdir=${olderRelease}`, ...program];
    }
    return isWorker ? [...heldOpen(dataFolder), ...program] : program;
  }

  /** How often its process has logged that its lease was over, since the last call. */
  newLostLeases(): number {
    const { log = "" } = this.#process ?? {};
    const found = log.slice(this.#read).split("The lease of this server was lost").length - 1;
    this.#read = log.length;
    return found;
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.state = "down";
    this.#process?.kill();
    await this.#process?.ended();
  }

  freeze(): void {
    this.state = "frozen";
    this.#process?.signal("SIGSTOP");
  }

  thaw(): void {
    this.#process?.signal("SIGCONT");
    if (this.state === "frozen") this.state = "running";
  }

  /** Ends it as a deploy does. */
  async stop(): Promise<void> {
    this.state = "stopping";
    const from = performance.now();
    await this.#process?.stop();
    this.stoppedInMs = performance.now() - from;
    this.state = "down";
  }
}

/** How the process of a server is started. */
export interface ServerOptions {
  readonly dataFolder: string;
  /** Whether the lease is not the program's own. */
  readonly isShort: boolean;
  /** The folder of a built older release, of which the first process is. */
  readonly olderRelease?: string;
  /** Whether it is a worker, which ends with the other end of its input. */
  readonly isWorker: boolean;
  environment(server: Server): Record<string, string>;
  /** The first half of the ids of the sockets of a port. */
  numberOf(port: number): Promise<string>;
  /** A process has ended that was not meant to. */
  onEnd(server: Server, output: string): void;
}

/** Runs a command whose input has another end for as long as it runs. */
function heldOpen(folder: string): string[] {
  const script = 'test -p "$0" || mkfifo "$0"; exec "$@" <>"$0"';
  return ["sh", "-c", script, `${folder}/input`];
}

function lastLines(log: string): string {
  return log.trimEnd().split("\n").slice(-12).join("\n");
}
