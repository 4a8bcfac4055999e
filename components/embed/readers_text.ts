import type { EmbedReaders } from "@/shared/embed.ts";

/** Which sites' scripts may read an embed, in the form and in the audit log. */
export const readersText: Record<EmbedReaders, string> = {
  none: "no other site",
  listed: "the listed origins",
  any: "every site",
};
