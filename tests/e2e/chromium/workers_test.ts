import { describe, it } from "@std/testing/bdd";
import type { Page, WebSocket } from "playwright-core";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { launchBrowser, Person, seesLive } from "../../fixtures/browser.ts";
import { until } from "../../fixtures/eventually.ts";
import { moveInWithForms } from "../../fixtures/people.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { childrenOf, roleOf } from "../../installations/installation.ts";

// Other systems do not spread the connections of a port.
describe("pages of two workers without Redis", { ignore: Deno.build.os !== "linux" }, () => {
  it("show the same, true number through joins, leaves, a killed coordinator and a killed worker", async () => {
    await using stack = new AsyncDisposableStack();
    const browser = await launchBrowser();
    stack.defer(() => browser.close());
    const port = String(await reservePort());
    const server = stack.use(await Rollcall.start({ WORKERS: "2", PORT: port, DRAIN_MS: "0" }));
    await server.printed(/Started .*worker=2/);
    const [ada, ben, cleo] = await moveInWithForms(server);
    await using admin = await Person.meet(browser, server.origin, { visitor: ada });
    await using other = await Person.meet(browser, server.origin, { visitor: ben });
    await using visitor = await Person.meet(browser, server.origin, { visitor: cleo });
    for (const person of [admin, other, visitor]) person.expectsConsoleErrors = true;
    const pages = [await admin.open("/admin/online"), await other.open("/admin/online")];
    await reloadUntilApart(pages[1], await reloadedAt(pages[0]));
    const see = async (count: number) => {
      for (const page of pages) await seesLive(page, count);
    };
    const visit = async () => {
      const page = await visitor.open("/");
      await seesLive(page, 3);
      await see(3);
      await page.close();
      await see(2);
    };
    await see(2);
    await visit();

    kill(server, 0);
    await until(
      () => (server.log.match(/The other servers are reached again/g)?.length ?? 0) >= 2,
      "both workers reached the next coordinator",
    );
    await visit();

    // The page of that worker connects again, to either.
    kill(server, 2);
    await server.printed(/A worker ended and is started again worker=2/);
    await see(2);
    await server.printed(/(?:: Started [^]*){3}/);
    await visit();
  });
});

/** Loads a page again until its socket is connected to another worker than that of a page. */
async function reloadUntilApart(page: Page, first: number): Promise<void> {
  await until(async () => await reloadedAt(page) !== first, "the pages were at two workers");
}

/** Loads a page again. @returns the number of the worker that its socket is connected to */
async function reloadedAt(page: Page): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const listen = (socket: WebSocket) =>
    socket.on("framereceived", ({ payload }) => {
      const [, socketId] = /socket_id\\":\\"(\d+\.\d+)/.exec(String(payload)) ?? [];
      if (socketId !== undefined) resolve(serverNumberOf(socketId));
    });
  page.on("websocket", listen);
  await page.reload();
  const server = await withTimeout(promise, "the page had connected", 180_000);
  page.off("websocket", listen);
  return server;
}

/** Kills a worker, from 1, or the coordinator, 0. Its standby is the younger child. */
function kill({ pid }: Rollcall, role: number): void {
  Deno.kill(childrenOf(pid).find((child) => roleOf(child) === role)!, "SIGKILL");
}
