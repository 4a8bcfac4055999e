import { gzipSync } from "node:zlib";
import { STATUS_CODE } from "@std/http/status";
import { isAskedByOtherSite } from "./request.ts";
import { define } from "./state.ts";
import { join } from "node:path";
import { browserFiles } from "./built_files.ts";
import { pathOf } from "@/shared/address.ts";

/** A content coding of RFC 9110, section 8.4.1, that answers can have. */
type ContentCoding = "br" | "gzip";

/**
 * The coding that a client wants most, by the `Accept-Encoding` of its request (RFC 9110, section 12.5.3).
 *
 * @param offered the codings at hand, the best first, which decides between codings that are wanted alike.
 * @returns null to send the content uncompressed, also to a client that refuses uncompressed content but accepts
 * none of the offered codings.
 */
export function preferredCoding(
  acceptEncoding: string | null,
  offered: readonly ContentCoding[],
): ContentCoding | null {
  const weights = readWeights(acceptEncoding ?? "");
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best] = offered.toSorted((one, other) => weightOf(other) - weightOf(one));
  if (best === undefined || weightOf(best) === 0) return null;
  return weightOf(best) >= (weights.get("identity") ?? 0) ? best : null;
}

/** A malformed weight counts as 0, so that the client gets what every client can read. */
function readWeights(acceptEncoding: string): Map<string, number> {
  return new Map(
    acceptEncoding.toLowerCase().split(",").map((item) => {
      const [coding, weight] = item.split(";").map((part) => part.trim());
      if (weight === undefined) return [coding, 1];
      const [, value = "0"] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight) ?? [];
      return [coding, Number(value)];
    }),
  );
}

/** Below this many bytes, compression saves no packet of the network. */
const smallest = 1_024;

/** Up to this many bytes are compressed at once, in less than a millisecond; more, in parts of this size. */
const part = 64 * 1_024;

/**
 * Compresses pages, JSON and CSV with gzip, for clients that accept it. Brotli would take twice the CPU
 * time for the same size; the files that a build makes have it, see `compressedFiles`.
 *
 * An answer's size says something of its content, if others can choose a part of it (the BREACH attack). So
 * what a page of another site makes a browser ask for is not compressed, and the CSRF token is another in
 * every page. Errors are not compressed either: they are small, and strangers can cause many.
 */
export const compressAnswers = define.middleware(async ({ req, next }) => {
  const response = await next();
  const { headers } = response;
  if (!isCompressible(response)) return response;
  headers.append("vary", "Accept-Encoding");
  const coding = preferredCoding(req.headers.get("accept-encoding"), ["gzip"]);
  if (coding === null || isAskedByOtherSite(req.headers)) return response;
  return await compressed(response, req.method === "HEAD");
});

function isCompressible({ status, headers, body }: Response): boolean {
  return body !== null && status === STATUS_CODE.OK &&
    /^(text\/(html|csv)|application\/json)\b/.test(headers.get("content-type") ?? "") &&
    !headers.has("content-encoding") && !headers.get("cache-control")?.includes("no-transform");
}

async function compressed(response: Response, isHead: boolean): Promise<Response> {
  const headers = new Headers(response.headers);
  const { start, rest } = await split(response.body!);
  if (rest === null && start.byteLength < smallest) return new Response(start, { headers });
  headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  if (rest === null) {
    const content = new Uint8Array(gzipSync(start));
    headers.set("content-length", String(content.byteLength));
    return new Response(content, { headers });
  }
  if (isHead) {
    await rest.cancel();
    return new Response(null, { headers });
  }
  const parts = ReadableStream.from(partsOf(start, rest));
  return new Response(parts.pipeThrough(new CompressionStream("gzip")), { headers });
}

/** Reads a little more than a part of a body; the rest is null when that is all of it. */
async function split(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= part) {
    const { done, value } = await reader.read();
    if (done) return { start: joined(chunks, size), rest: null };
    chunks.push(value);
    size += value.byteLength;
  }
  reader.releaseLock();
  return { start: joined(chunks, size), rest: body };
}

function joined(chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

/** Between two parts others have their turn, whatever the size of the chunks. */
async function* partsOf(start: Uint8Array, rest: ReadableStream<Uint8Array>) {
  yield* slicesOf(start);
  for await (const chunk of rest) yield* slicesOf(chunk);
}

async function* slicesOf(chunk: Uint8Array) {
  for (let at = 0; at < chunk.byteLength; at += part) {
    yield new Uint8Array(chunk.subarray(at, at + part));
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/**
 * Around Fresh's `staticFiles`: puts the content that the build compressed in the place of a file's, for
 * clients that accept it. The file's entity tag is weak, so it holds for each coding.
 */
export function compressedFiles() {
  const contents = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** Kept in memory: there are as many as a build makes, some 700 KB in all. */
  const contentOf = (file: string) => {
    const known = contents.get(file);
    if (known) return known;
    const content = Deno.readFile(file);
    contents.set(file, content);
    content.catch(() => contents.delete(file));
    return content;
  };

  return define.middleware(async ({ req, url, config, next }) => {
    const response = await next();
    if (!isOfFile(response)) return response;
    const files = (await browserFiles(config)).compressed[pathOf(url)];
    if (!files) return response;
    const { status, headers } = response;
    headers.append("vary", "Accept-Encoding");
    const coding = preferredCoding(req.headers.get("accept-encoding"), codings);
    if (coding === null || status === STATUS_CODE.NotModified) return response;
    const content = await contentOf(join(config.root, files[coding]));
    await response.body?.cancel();
    headers.set("content-encoding", coding);
    headers.set("content-length", String(content.byteLength));
    return new Response(content, { headers });
  });
}

const codings: ContentCoding[] = ["br", "gzip"];

/** Whether it has the answer of a file, or that the client's copy of one is still right. */
function isOfFile({ status }: Response): boolean {
  return status === STATUS_CODE.OK || status === STATUS_CODE.NotModified;
}
