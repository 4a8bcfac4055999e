import { parseJson } from "../messages/json.ts";

/** A part of the JSON text of an answer. */
export interface AnswerPart {
  readonly index: number;
  readonly count: number;
  readonly text: string;
}

/** What servers answered in time. */
export interface Answered {
  /** By the number of the server; undefined of one that cannot answer. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** Whether the question is known to have been sent. */
  readonly isSent: boolean;
}

/** One question that waits for its answers. It does not send and has no clock. */
export class PendingQuestion {
  readonly done: Promise<Answered>;
  readonly #answers = new Map<string, unknown>();
  /** The parts that have come of answers in several parts, by the number of the server. */
  readonly #parts = new Map<string, string[]>();
  readonly #only: string | undefined;
  readonly #resolve: (answered: Answered) => void;
  /** How many servers have received it; undefined until that is known. */
  #received: number | undefined;

  /** @param only the one server whose answer counts; by default those of all do */
  constructor(only?: string) {
    const { promise, resolve } = Promise.withResolvers<Answered>();
    this.done = promise;
    this.#only = only;
    this.#resolve = resolve;
  }

  /** A server answered; its first answer counts. */
  answered(from: string, data: unknown): void {
    if (this.#answers.has(from) || (this.#only !== undefined && from !== this.#only)) return;
    this.#answers.set(from, data);
    this.#endIfAll();
  }

  /** A part of an answer came. Where one is missing, the server has not answered. */
  part(from: string, { index, count, text }: AnswerPart): void {
    if (this.#only !== undefined && from !== this.#only) return;
    const parts = this.#parts.get(from) ?? [];
    this.#parts.set(from, parts);
    if (index !== parts.length) return;
    parts.push(text);
    if (parts.length < count) return;
    this.#parts.delete(from);
    this.answered(from, parseJson(parts.join("")));
  }

  /** It was sent to a number of servers other than this one: as many answers can come. */
  sent(received: number): void {
    this.#received = received;
    this.#endIfAll();
  }

  /** No answer is waited for any more. */
  end(): void {
    this.#resolve({ answers: this.#answers, isSent: this.#received !== undefined });
  }

  #endIfAll(): void {
    if (this.#received === undefined || this.#answers.size < this.#received) return;
    this.end();
  }
}
