/** What Redis answers to a command or a script. */
export type RedisReply = string | number | null | RedisReply[];

/** A Lua script; it runs in Redis as one step. */
export interface RedisScript {
  readonly text: string;
}

/**
 * The connection to Redis that a process has: one for commands, one for subscriptions. Each call has
 * a deadline; a call that fails may have been carried out nevertheless. There is no queue of calls
 * while the connection is down: they fail at once.
 */
export interface Redis {
  /** Whether both connections work. */
  readonly isUp: boolean;
  /**
   * Names the life of the server to which the connection goes, as a master: another one may have older
   * data. Empty while there was no connection, or where the server does not show it.
   */
  readonly serverId: string;
  /**
   * Is called when {@link isUp} changes. Messages may have been missed whenever it became true.
   *
   * @returns unsubscribe
   */
  onChange(listener: (isUp: boolean) => void): () => void;
  /** Calls a command. @throws {Error} when Redis refuses it, is not connected, or misses the deadline. */
  command(words: readonly string[]): Promise<RedisReply>;
  /** Runs a script. @throws as {@link command} does. */
  run(script: RedisScript, args: readonly string[]): Promise<RedisReply>;
  /**
   * Receives the messages of a topic, from when the promise is fulfilled; also after the connection
   * was down and is up again. One listener a topic, which may not throw.
   */
  subscribe(topic: string, listener: (message: string) => void): Promise<void>;
  /** Ends a subscription. Never rejects. */
  unsubscribe(topic: string): Promise<void>;
  /** Closes both connections. Listeners are not called any more. */
  close(): Promise<void>;
}
