/** A server that is sent strange things. */
export interface Fuzzed extends AsyncDisposable {
  /** Checks that nothing is left of peers who are gone, and nothing was complained of. */
  isUntouched(): Promise<void>;
  /** Checks that it still serves. */
  serves(): Promise<void>;
}

/** A server, until it took harm: then the next one, lest the search for the smallest case be misled. */
export class ServerInTurn<Server extends Fuzzed> implements AsyncDisposable {
  #server: Server | undefined;

  constructor(readonly start: () => Promise<Server>) {}

  async use(what: (server: Server) => Promise<void>): Promise<void> {
    const server = this.#server ??= await this.start();
    try {
      await what(server);
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }
}
