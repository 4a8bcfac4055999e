import { join } from "node:path";
import { STATUS_CODE } from "@std/http/status";
import { type ContentCoding, preferredCoding } from "./accept_encoding.ts";
import { browserFiles } from "./browser_files.ts";
import { pathOf } from "@/shared/address.ts";
import { define } from "./state.ts";

/**
 * Around Fresh's `staticFiles`: puts the content that the build compressed in the place of a file's, for
 * clients that accept it. The file's entity tag is weak, so it holds for each coding.
 */
export function compressedFiles() {
  const contents = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** Kept in memory: there are as many as a build makes, some 100 KB in all. */
  const contentOf = (file: string) => {
    const content = contents.get(file) ?? Deno.readFile(file);
    contents.set(file, content);
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
