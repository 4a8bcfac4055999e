import { setImmediate } from "node:timers";

/**
 * How long a line may be, and how much may wait for the other end, which is frozen or reads too slowly; in UTF-16 code
 * units. A message between servers has a million. The longest line has the names of all channels of an app.
 */
const maxLength = 64 * 2 ** 20;

/** Bytes that are read at once. */
const readAtOnce = 256 * 2 ** 10;

/** What happens on a connection of lines. */
export interface LinesListener {
  /** A line came; it may throw, which ends the connection. */
  line(text: string): void;
  /** Is called once, when the connection has ended or was closed. @param fault why, if the other end did not end it */
  ended(fault: Error | undefined): void;
}

/** A connection on which lines of text are sent, with all of one tick of the event loop in one system call. */
export class Lines {
  readonly #connection: Deno.Conn;
  readonly #listener: LinesListener;
  readonly #encoder = new TextEncoder();
  #waiting: string[] = [];
  #waitingLength = 0;
  #isWriting = false;
  #hasEnded = false;

  constructor(connection: Deno.Conn, listener: LinesListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  /** Receives lines from now on. Call it once. */
  start(): void {
    this.#read().then(() => this.close(), (error) => this.close(error));
  }

  /** Sends a line, unless the connection has ended. @param line ends with a line feed, its only one */
  send(line: string): void {
    if (this.#hasEnded) return;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength > maxLength) {
      return this.close(new Error("the other end does not read what it is sent"));
    }
    if (this.#isWriting) return;
    this.#isWriting = true;
    setImmediate(() => void this.#write().catch((error) => this.close(error)));
  }

  /** Ends the connection at once. */
  close(fault?: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#waiting = [];
    this.#connection.close();
    this.#listener.ended(fault);
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const text = this.#waiting.join("");
      this.#waiting = [];
      let bytes = this.#encoder.encode(text);
      while (bytes.length > 0) bytes = bytes.subarray(await this.#connection.write(bytes));
      this.#waitingLength -= text.length;
    }
    // In the same step as the last look at what waits: a line that comes between them would wait for another one.
    this.#isWriting = false;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(readAtOnce);
    let rest = "";
    while (true) {
      const length = await this.#connection.read(buffer);
      if (length === null) return;
      const lines = decoder.decode(buffer.subarray(0, length), { stream: true }).split("\n");
      lines[0] = rest + lines[0];
      rest = lines.pop() ?? "";
      if (rest.length > maxLength) throw new Error("a line is too long");
      for (const line of lines) {
        if (this.#hasEnded) return;
        this.#listener.line(line);
      }
    }
  }
}

/** Which connections receive the messages of which topics. */
export class Topics {
  readonly #subscribers = new Map<string, Set<Lines>>();
  /** By connection. */
  readonly #topics = new Map<Lines, Set<string>>();

  /** A connection receives the messages of topics from now on. */
  subscribe(lines: Lines, topics: readonly string[]): void {
    for (const topic of topics) {
      this.#subscribers.getOrInsertComputed(topic, () => new Set()).add(lines);
      this.#topics.getOrInsertComputed(lines, () => new Set()).add(topic);
    }
  }

  /** Ends a subscription. */
  unsubscribe(lines: Lines, topic: string): void {
    deleteFrom(this.#subscribers, topic, lines);
    deleteFrom(this.#topics, lines, topic);
  }

  /** A connection has ended. */
  ended(lines: Lines): void {
    for (const topic of this.#topics.get(lines) ?? []) {
      deleteFrom(this.#subscribers, topic, lines);
    }
    this.#topics.delete(lines);
  }

  /** Sends a message. @returns how many connections receive it */
  publish(topic: string, message: string): number {
    const subscribers = this.#subscribers.get(topic);
    if (!subscribers) return 0;
    const line = `${JSON.stringify([topic, message])}\n`;
    for (const lines of subscribers) lines.send(line);
    return subscribers.size;
  }
}

function deleteFrom<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = sets.get(key);
  if (set?.delete(value) && set.size === 0) sets.delete(key);
}
