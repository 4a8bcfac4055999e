import process from "node:process";
import { type App, RealtimeServer } from "../../realtime/server.ts";
import { BareServer } from "./bare_server.ts";

/** What both servers of the benchmark can do. */
export interface BenchServer {
  upgrade(request: Request): Response;
  publish(channel: string, event: string, data: unknown): void;
}

export const app: App = { id: "1", key: "bench", secret: "bench-secret" };
export const channel = "presence-bench";

if (import.meta.main) {
  listen(Deno.args[0] === "bare" ? new BareServer() : new RealtimeServer({ apps: [app] }));
}

/** Serves sockets, and what the benchmark asks over HTTP, on a port that is printed. */
function listen(server: BenchServer): void {
  const options = {
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }: Deno.NetAddr) => console.log(port),
  };
  Deno.serve(options, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/usage") return Response.json(usage());
    if (pathname !== "/publish") return server.upgrade(request);
    for (let count = Number(searchParams.get("count")); count > 0; count--) {
      server.publish("news", "update", { text: "x".repeat(100) });
      await new Promise((resolve) => setTimeout(resolve));
    }
    return Response.json(usage());
  });
}

/** What the process used so far: microseconds of CPU time, and bytes of memory now. */
export interface Usage {
  cpu: number;
  memory: number;
}

function usage(): Usage {
  (globalThis as { gc?: () => void }).gc?.();
  const { user, system } = process.cpuUsage();
  return { cpu: user + system, memory: Deno.memoryUsage().rss };
}
