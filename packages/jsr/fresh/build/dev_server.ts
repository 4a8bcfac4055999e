import type { App } from "../server/app.ts";
import type { Build } from "../server/build.ts";
import type { Project } from "./options.ts";
import { watchProject } from "./watch.ts";

/** Where to listen and how: the options of `Deno.serve` over TCP, with or without a certificate. */
export type ListenOptions =
  & Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>
  & { onListen?: (address: Deno.NetAddr) => void };

/** A build, and the files that make another one necessary when they change. */
interface WatchedBuild {
  build: Build;
  sources: Set<string>;
}

/** Serves an app, building again whenever something changes that browsers get. */
export async function serveAndWatch<State>(
  project: Project,
  makeBuild: () => Promise<WatchedBuild>,
  importApp: () => Promise<{ app: App<State> }>,
  options: ListenOptions,
): Promise<void> {
  let { build, sources } = await makeBuild();
  const { app } = await importApp();
  app.applyBuild(build);
  const handler = app.handler();
  const pages = new Set<WebSocket>();
  // A restarted server has other code for its pages, even when the scripts are the same.
  const start = crypto.randomUUID();
  const version = () => `${build.id} ${start}`;

  const stopWatching = watchProject(project, async (changed) => {
    const isSource = (file: string) =>
      sources.has(file) || file.startsWith(project.staticDir + "/") ||
      file.startsWith(project.islandDir + "/");
    if (!changed.some(isSource)) return;
    ({ build, sources } = await makeBuild());
    app.applyBuild(build);
    for (const page of pages) page.send(version());
  });
  try {
    const server = Deno.serve(options, (request, info) => {
      const isReloadSocket = URL.parse(request.url)?.pathname.endsWith("/_frsh/alive") ?? false;
      return isReloadSocket
        ? Promise.resolve(acceptPage(request, pages, version))
        : handler(request, info);
    });
    await server.finished;
  } finally {
    await stopWatching();
  }
}

/** The other end of `browser/reload.ts`. */
function acceptPage(request: Request, pages: Set<WebSocket>, version: () => string): Response {
  if (request.headers.get("upgrade") !== "websocket") {
    return new Response(null, { status: 400 });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onopen = () => {
    pages.add(socket);
    socket.send(version());
  };
  socket.onclose = () => pages.delete(socket);
  return response;
}
