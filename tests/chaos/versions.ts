import { redisProgram } from "../fixtures/redis.ts";
import { version } from "@/shared/version.ts";

/** What a run was made with, by name. A program that does not answer is left out. */
export async function versions(): Promise<[name: string, version: string][]> {
  const asked = await Promise.all([
    printed("git", "rev-parse", "--short", "HEAD"),
    printed(redisProgram(), "--version"),
    printed("psql", "--version"),
    printed("uname", "-sr"),
  ]);
  const [commit, redis, postgres, system] = asked;
  const found: [string, string | undefined][] = [
    ["Rollcall", commit ? `${version}, commit ${commit}` : version],
    ["Deno", Deno.version.deno],
    [/^\w+/.exec(redis ?? "")?.[0] ?? "Redis", /v=(\S+)/.exec(redis ?? "")?.[1]],
    ["PostgreSQL", /\d[\d.]*/.exec(postgres ?? "")?.[0]],
    ["System", system && `${system}, ${navigator.hardwareConcurrency} cores`],
  ];
  return found.flatMap(([name, text]) => text === undefined ? [] : [[name, text]]);
}

async function printed(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { stdout, success } = await new Deno.Command(program, { args, stderr: "null" }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}
