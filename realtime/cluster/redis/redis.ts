import type { Link } from "../engine.ts";

/** What Redis answers to a command or a script. */
export type RedisReply = string | number | null | RedisReply[];

/** A Lua script; it runs in Redis as one step. */
export interface RedisScript {
  readonly text: string;
}

/**
 * The connection to Redis that a process has: one for commands, one for subscriptions. Each call has
 * a deadline; a call that fails may have been carried out nevertheless.
 */
export interface Redis extends Link {
  /**
   * Names the life of the server to which the connection goes, as a master: another one may have older
   * data. Empty while there was no connection, or where the server does not show it.
   */
  readonly serverId: string;
  /** Calls a command. @throws {Error} when Redis refuses it, is not connected, or misses the deadline. */
  command(words: readonly string[]): Promise<RedisReply>;
  /** Runs a script. @throws as {@link command} does. */
  run(script: RedisScript, args: readonly string[]): Promise<RedisReply>;
}
