import { externalServer, type ExternalServerSettings } from "./external_server.ts";

/** The settings that several servers, or several processes, depend on. */
interface Settings extends ExternalServerSettings {
  DATABASE_URL?: string;
  REDIS_URL?: string;
  WORKERS: number | "auto";
}

/** One line for each setting with which several servers or processes cannot work as one. */
export function clusterProblems(settings: Settings, os: string = Deno.build.os): string[] {
  return [...redisProblems(settings), ...workerProblems(settings, os)];
}

function redisProblems(settings: Settings): string[] {
  if (settings.REDIS_URL === undefined) return [];
  const { host, cluster } = externalServer(settings);
  const problems: string[] = [];
  if (settings.DATABASE_URL === undefined) {
    problems.push(
      "DATABASE_URL: not given, but REDIS_URL is; expected the postgres:// address of the database " +
        "that all servers share",
    );
  }
  if (host ?? cluster) {
    problems.push("REDIS_URL: given, but the external server counts; expected none");
  }
  return problems;
}

function workerProblems(settings: Settings, os: string): string[] {
  const { REDIS_URL, DATABASE_URL, PORT, WORKERS } = settings;
  if (WORKERS === 1) return [];
  const problems: string[] = [];
  const given = `WORKERS: "${WORKERS}" is not allowed`;
  if (REDIS_URL === undefined) {
    const missing = DATABASE_URL === undefined ? "REDIS_URL and DATABASE_URL" : "REDIS_URL";
    problems.push(
      `${given} without ${missing}, by which processes share who is online; expected 1`,
    );
  }
  // Elsewhere the system gives all connections of a shared port to one process.
  if (os !== "linux") problems.push(`${given} on this system; expected 1, or Linux`);
  if (PORT === 0) {
    problems.push(
      'PORT: "0" is not allowed with several WORKERS, which serve one port; expected its number',
    );
  }
  return problems;
}
