import { extname } from "node:path";

const text = "; charset=UTF-8";

const byExtension: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css" + text,
  ".gif": "image/gif",
  ".html": "text/html" + text,
  ".ico": "image/vnd.microsoft.icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript" + text,
  ".json": "application/json" + text,
  ".md": "text/markdown" + text,
  ".mjs": "text/javascript" + text,
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml" + text,
  ".txt": "text/plain" + text,
  ".webmanifest": "application/manifest+json" + text,
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".xml": "application/xml" + text,
};

/** The Content-Type of a file, by its name. */
export function mediaType(path: string): string {
  return byExtension[extname(path).toLowerCase()] ?? "application/octet-stream";
}
