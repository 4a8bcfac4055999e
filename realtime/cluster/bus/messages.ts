import { z } from "zod";
import { parseJson } from "../messages/room_message.ts";

/** A kind of request. A server that does not know it answers that it cannot. */
export interface BusRequest<Q, A> {
  readonly name: string;
  readonly request: z.ZodType<Q>;
  readonly response: z.ZodType<A>;
  /** How long servers have to answer, in milliseconds. */
  readonly responseMs: number;
}

/** How long servers have to answer what they know, in milliseconds. */
const responseMs = 300;

/** A kind of command. A server that does not know it ignores it. */
export interface Command<O> {
  readonly name: string;
  readonly command: z.ZodType<O>;
  /** Whether a server that missed it carries it out later. */
  readonly isRemembered: boolean;
  /** Whether it is sent later where it could not be sent. */
  readonly isResent: boolean;
}

/** A kind of request, with the forms of its data. */
export function request<Q, A>(
  name: string,
  request: z.ZodType<Q>,
  response: z.ZodType<A>,
  options: { responseMs?: number } = {},
): BusRequest<Q, A> {
  return { name, request, response, responseMs, ...options };
}

/** A kind of command, with the form of its data; see {@link Command}. */
export function command<O>(
  name: string,
  command: z.ZodType<O>,
  { isRemembered = false, isResent = isRemembered }: {
    isRemembered?: boolean;
    isResent?: boolean;
  } = {},
): Command<O> {
  return { name, command, isRemembered, isResent };
}

/** The version of the messages that this release sends and reads. */
const version = 1;

/** The longest message, in UTF-16 code units. */
export const maxMessageLength = 1_000_000;

/** The length of a part of a response, in UTF-16 code units: JSON within JSON takes up to six times that. */
const maxPartLength = 150_000;

/** The most parts of a response. */
const maxParts = 100;

const header = {
  /** Distinguishes the messages of a server; a response repeats the id of its request. */
  id: z.string().min(1).max(64),
  /** The number of the server that sends it. */
  from: z.string().regex(/^\d{1,10}$/),
};

const name = z.string().min(1).max(64);

const message = z.discriminatedUnion("t", [
  /** A request to one server or to all, which a response follows. */
  z.object({ t: z.literal("ask"), ...header, name, data: z.unknown().optional() }),
  /** A response. Without data, the server cannot answer: it does not know the request, or failed. */
  z.object({ t: z.literal("answer"), ...header, data: z.unknown().optional() }),
  /** A part of the JSON text of a response that is too long for one message; parts come in their order. */
  z.object({
    t: z.literal("part"),
    ...header,
    text: z.string().max(maxPartLength),
    index: z.int().nonnegative(),
    count: z.int().positive().max(maxParts),
  }),
  /** Has every other server do something; no response follows. `age`: milliseconds since it was given. */
  z.object({
    t: z.literal("order"),
    ...header,
    name,
    data: z.unknown().optional(),
    age: z.number().nonnegative().default(0),
  }),
]);

/** A message between servers. Its data are checked by what its name means. */
export type Message = z.infer<typeof message>;

/** What a text from a topic is. "unknown": of a later release. */
type Read =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly fault: "malformed" | "unknown"; readonly detail: string };

const envelope = z.object({ v: z.int().positive(), t: z.string() });

/** Reads a text from a topic; fields that this release does not know are left out. Never throws. */
export function readMessage(text: string): Read {
  if (text.length > maxMessageLength) return malformed(`${text.length} characters`);
  const json = parseJson(text);
  if (json === undefined) return malformed("not JSON");

  const start = envelope.safeParse(json);
  if (!start.success) return malformed("without version or type");
  const { v, t } = start.data;
  if (v > version || !types.has(t)) return { ok: false, fault: "unknown", detail: typeText(v, t) };
  const result = message.safeParse(json);
  if (result.success) return { ok: true, message: result.data };
  return malformed(`${t}: ${result.error.issues[0].path.join(".")}`);
}

/** The messages that carry a response, in their order. @throws {RangeError} when it is too long */
export function responseMessages(header: { id: string; from: string }, data: unknown): Message[] {
  const text = JSON.stringify(data) ?? "";
  if (text.length <= maxPartLength) return [{ t: "answer", ...header, data }];
  const count = Math.ceil(text.length / maxPartLength);
  if (count > maxParts) throw new RangeError(`The answer has ${text.length} characters`);
  return Array.from({ length: count }, (_, index) => {
    const start = index * maxPartLength;
    return { t: "part", ...header, index, count, text: text.slice(start, start + maxPartLength) };
  });
}

/** The text of a message. @throws {RangeError} when it is too long */
export function writeMessage(message: Message): string {
  const text = JSON.stringify({ v: version, ...message });
  if (text.length <= maxMessageLength) return text;
  throw new RangeError(`The message has ${text.length} characters`);
}

const types = new Set<string>(["ask", "answer", "part", "order"] satisfies Message["t"][]);

function typeText(v: number, t: string): string {
  return `version ${v}, type ${t.slice(0, 64)}`;
}

function malformed(detail: string): Read {
  return { ok: false, fault: "malformed", detail };
}
