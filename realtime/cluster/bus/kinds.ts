import type { z } from "zod";

/** A kind of question. A server that does not know it answers that it cannot. */
export interface Question<Q, A> {
  readonly name: string;
  readonly question: z.ZodType<Q>;
  readonly answer: z.ZodType<A>;
  /** How long servers have to answer, in milliseconds. */
  readonly answerMs: number;
}

/** How long servers have to answer what they know, in milliseconds. */
const answerMs = 300;

/** A kind of order. A server that does not know it ignores it. */
export interface Order<O> {
  readonly name: string;
  readonly order: z.ZodType<O>;
  /** Whether a server that missed it carries it out later. */
  readonly isRemembered: boolean;
  /** Whether it is sent later where it could not be sent. */
  readonly isResent: boolean;
}

/** A kind of question, with the forms of its data. */
export function question<Q, A>(
  name: string,
  question: z.ZodType<Q>,
  answer: z.ZodType<A>,
  options: { answerMs?: number } = {},
): Question<Q, A> {
  return { name, question, answer, answerMs, ...options };
}

/** A kind of order, with the form of its data; see {@link Order}. */
export function order<O>(
  name: string,
  order: z.ZodType<O>,
  { isRemembered = false, isResent = isRemembered }: {
    isRemembered?: boolean;
    isResent?: boolean;
  } = {},
): Order<O> {
  return { name, order, isRemembered, isResent };
}
