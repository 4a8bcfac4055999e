import { launchBrowser, Person } from "./tests/fixtures/browser.ts";
import { HttpVisitor } from "./tests/fixtures/http_visitor.ts";
import { ada } from "./tests/fixtures/people.ts";
import { Rollcall } from "./tests/fixtures/rollcall.ts";
import { signChannel } from "./realtime/protocol/signature.ts";
const server = await Rollcall.start({
  PUSHER_APP_KEY: "a-key-of-the-tests",
  PUSHER_APP_ID: "48213",
  PUSHER_APP_SECRET: "s".repeat(20),
});
const admin = new HttpVisitor(server.origin);
await admin.setUp(await server.setupToken(), ada);
const browser = await launchBrowser();
const p = await Person.meet(browser, server.origin, { visitor: admin });
const page = await p.context.newPage();
await page.goto("/admin/connect");
await page.waitForTimeout(3000);
for (const scheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({
      path: `/tmp/shots/connect-wait-${scheme}-${width}.png`,
      fullPage: true,
    });
  }
}
// wrong things, then a join
const open = async (key: string) => {
  const ws = new WebSocket(`${server.origin.replace("http", "ws")}/app/${key}?protocol=7`);
  const id = await new Promise<string>((r) => {
    ws.onmessage = (e) => {
      const f = JSON.parse(e.data);
      r(f.event === "pusher:connection_established" ? JSON.parse(f.data).socket_id : "");
    };
    ws.onclose = () => r("");
  });
  return { ws, id };
};
await open("wrong-key");
const c = await open("a-key-of-the-tests");
const data = JSON.stringify({
  user_id: "7",
  user_info: {
    id: 7,
    rollcall: {
      name: "Grace Hopper",
      detail: "grace@navy.example",
      url: "https://crm.example.com/7",
    },
  },
});
c.ws.send(
  JSON.stringify({
    event: "pusher:subscribe",
    data: {
      channel: "presence-chart",
      auth: "a-key-of-the-tests:" + "0".repeat(64),
      channel_data: data,
    },
  }),
);
await page.waitForTimeout(2500);
c.ws.send(
  JSON.stringify({
    event: "pusher:subscribe",
    data: {
      channel: "presence-chart",
      auth: signChannel(
        { key: "a-key-of-the-tests", secret: "s".repeat(20) },
        c.id,
        "presence-chart",
        data,
      ),
      channel_data: data,
    },
  }),
);
await page.waitForTimeout(2500);
console.log(await page.locator(".app-status-joined").textContent());
for (const scheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({
      path: `/tmp/shots/connect-joined-${scheme}-${width}.png`,
      fullPage: true,
    });
  }
}
await page.setViewportSize({ width: 1280, height: 900 });
await page.emulateMedia({ colorScheme: "light" });
await page.getByRole("button", { name: "Reveal secret" }).click();
await page.waitForTimeout(1500);
await page.screenshot({ path: `/tmp/shots/connect-revealed.png`, fullPage: true });
await page.goto("/admin/online");
await page.waitForTimeout(2500);
await page.screenshot({ path: `/tmp/shots/online.png`, fullPage: true });
await page.goto("/admin/people/7");
await page.waitForTimeout(1500);
await page.screenshot({ path: `/tmp/shots/person.png`, fullPage: true });
await page.goto("/admin/activity?who=grace");
await page.waitForTimeout(1500);
await page.screenshot({ path: `/tmp/shots/activity.png`, fullPage: true });
console.log(p.consoleErrors);
c.ws.close();
await browser.close();
await server[Symbol.asyncDispose]();
Deno.exit(0);
