import { createHash } from "node:crypto";
import type { z } from "zod";
import { ApiRefusal, badRequest, tooLarge } from "./refusal.ts";
import { readJson } from "../protocol/incoming.ts";
import { isSameText } from "../protocol/constant_time.ts";

/**
 * Reads the body of a call and compares it with the digest that was signed.
 *
 * @param digest the call's `body_md5`, if it has one.
 * @throws {ApiRefusal} 413 as soon as it exceeds `maxBytes`, 401 when it is not the signed body, 400
 * when it ends early or is not UTF-8.
 */
export async function readSignedBody(
  request: Request,
  digest: string | undefined,
  maxBytes: number,
): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  if (digest === undefined && bytes.length > 0) {
    throw new ApiRefusal(401, "missing_parameter", "The query has no body_md5 for the body");
  }
  const actual = createHash("md5").update(bytes).digest("hex");
  if (digest !== undefined && !isSameText(digest, actual)) {
    throw new ApiRefusal(401, "invalid_body_md5", `body_md5 is not the body's MD5, ${actual}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badRequest("The body is not UTF-8");
  }
}

/**
 * A body with a content-length is read as a whole: the HTTP server passes on no byte more, and reading
 * it as a stream takes 20 µs more.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooMany = () => tooLarge(`The body is over ${maxBytes} bytes`);
  const announced = request.headers.get("content-length");
  if (Number(announced) > maxBytes) throw tooMany();
  if (announced !== null) return await request.bytes().catch(throwEndedEarly);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(request.body)) {
    length += chunk.length;
    if (length > maxBytes) throw tooMany();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function* chunksOf(body: Request["body"]): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throwEndedEarly();
  }
}

/** The fault is the caller's, or the network's. */
function throwEndedEarly(): never {
  throw badRequest("The body ended early");
}

/**
 * Reads JSON by a schema.
 *
 * @throws {ApiRefusal} 400 with the place of the fault.
 */
export function parseBody<S extends z.ZodType>(text: string, schema: S): z.infer<S> {
  const read = readJson(text, schema, "body");
  if (!read.ok) throw badRequest(read.fault);
  return read.value;
}
