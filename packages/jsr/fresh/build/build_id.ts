import type { Mode } from "../server/config.ts";
import { digest } from "./digest.ts";

/**
 * The name of a new build: a digest of the first of these variables that is set, or else random. During
 * development it is always random, so that browsers load the scripts again.
 */
export function newBuildId(mode: Mode): string {
  const variables = ["DENO_DEPLOYMENT_ID", "GITHUB_SHA", "CI_COMMIT_SHA"];
  const set = mode === "production" ? variables.map((name) => Deno.env.get(name)) : [];
  return digest(set.find(Boolean) ?? crypto.randomUUID());
}
