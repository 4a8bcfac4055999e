import manifest from "@/deno.json" with { type: "json" };

/** The version of Rollcall. */
export const { version } = manifest;
