import { HttpError } from "fresh";
import { define } from "../state.ts";

/** The largest body, in bytes. What pages send is far smaller. */
const maxBytes = 64 * 1024;

/**
 * Reads the body of a request with an unsafe method into `ctx.state.input`. Its fields are texts, or in
 * JSON also numbers, booleans and null. {@link requireInput} refuses a body that cannot be read.
 *
 * It must come before the visitor is identified: a client can hold its body back, and must not act with
 * rights that it has lost meanwhile.
 */
export const readInput = define.middleware(async (ctx) => {
  try {
    ctx.state.input = isSafe(ctx.req.method) ? {} : await inputOf(ctx.req);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.state.inputFault = error;
  }
  return await ctx.next();
});

/**
 * Refuses requests whose body cannot be read.
 *
 * @throws {HttpError} 400 when the body does not parse, 413 when it is too large, 415 when it is neither
 * a form nor JSON.
 */
export const requireInput = define.middleware((ctx) => {
  if (ctx.state.inputFault) throw ctx.state.inputFault;
  return ctx.next();
});

/** Whether a method is safe: it changes nothing (RFC 9110, 9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

async function inputOf(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  const type = (request.headers.get("content-type") ?? "").split(";")[0].trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return Object.fromEntries(new URLSearchParams(text));
  }
  if (type === "application/json") return parseObject(text);
  throw new HttpError(415, "Send a form (application/x-www-form-urlencoded) or application/json.");
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "The request body is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(400, "The JSON body must be an object.");
  }
  const nested = Object.entries(value).find(([, field]) => typeof field === "object" && field);
  if (nested) throw new HttpError(400, "JSON fields can't be objects or arrays.");
  return { ...value };
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of chunksOf(request.body)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new HttpError(413, `The request body is larger than ${maxBytes} bytes.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The chunks of a body. A body that ends early is a bad request, not a failure of the server. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new HttpError(400, "Request body ended early.");
  }
}
