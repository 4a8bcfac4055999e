import { createHash } from "node:crypto";

/** 40 hexadecimal digits that are another when the content is. */
export function digest(content: string | Uint8Array): string {
  return createHash("sha1").update(content).digest("hex");
}
