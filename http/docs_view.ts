import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { asset } from "fresh/runtime";
import { z } from "zod";
import type { DocsFrameView } from "@/components/docs/DocsFrame.tsx";
import { href } from "@/shared/address.ts";
import { type Docs, docsPath } from "@/shared/docs.ts";
import { docsFile } from "./built_files.ts";

const schema: z.ZodType<Docs> = z.object({
  pages: z.array(z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    group: z.string(),
    headings: z.array(z.object({ depth: z.number(), id: z.string(), text: z.string() })),
    html: z.string(),
  })),
  sections: z.array(z.object({
    page: z.string(),
    title: z.string(),
    anchor: z.string(),
    heading: z.string(),
    text: z.string(),
  })),
});

let built: Promise<Docs> | undefined;

/** The documents of the build that is served. During development they may be built again. */
export function builtDocs({ root, mode }: { root: string; mode: string }): Promise<Docs> {
  const read = async () => schema.parse(JSON.parse(await readFile(join(root, docsFile), "utf8")));
  if (mode === "development") return read();
  if (built) return built;
  const reading = built = read();
  // A read that failed is tried again by the next request.
  reading.catch(() => built = undefined);
  return reading;
}

/** What is around each page of the documents. @param query what the reader has searched for */
export function docsFrame({ pages }: Docs, query = ""): DocsFrameView {
  return {
    pages,
    query,
    addressOf: (page, section) => href(docsPath(page, section)),
    home: href("/docs"),
    search: href("/docs/search"),
    index: href(asset("/docs/search.json")),
    script: href(asset("/docs/script.js")),
  };
}

/** Every installation has these pages: a search engine is better served by the public ones. */
export const docsHeaders = { "x-robots-tag": "noindex" };
