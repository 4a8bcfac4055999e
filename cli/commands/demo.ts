import { type Command, UsageError } from "../command_line.ts";

/** `rollcall demo` */
export const command: Command = {
  usage: "[--host HOST]",
  about: [
    "Serves Rollcall with made-up people and five weeks of a made-up past, and prints a link that",
    "signs in once. It listens on this machine only, at PORT or a free port, has no settings but that",
    "one, and touches no data of yours. Ctrl-C ends it and removes all that it stored.",
  ],
  flags: {
    host: { value: "HOST", about: "Listen there, such as 0.0.0.0, so that others reach it too" },
  },
  operands: [0, 0],
  async run({ flags: { host } }) {
    const { isLoopback } = await import("@/server/config/schemas.ts");
    const asked = Deno.env.get("HOST");
    if (host === undefined && asked !== undefined && !isLoopback(asked)) {
      throw new UsageError(
        `HOST is ${JSON.stringify(asked)}, but a demo listens on this machine only, unless ` +
          `--host ${asked} says that others may reach it`,
      );
    }
    await runDemo(typeof host === "string" ? host : "127.0.0.1");
    return await new Promise<never>(() => {});
  },
};

async function runDemo(host: string): Promise<void> {
  const { beginDemo, demoSettings } = await import("@/server/demo/running_demo.ts");
  const folder = await Deno.makeTempDir({ prefix: "rollcall-demo-" });
  // However it ends, unless it is killed.
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  // Not the folder of an installation, whose .env has settings.
  Deno.chdir(folder);
  const port = freePort(host, Deno.env.get("PORT"));
  for (const [name, value] of Object.entries(demoSettings({ host, port, folder }))) {
    if (value === null) Deno.env.delete(name);
    else Deno.env.set(name, value);
  }
  const demo = beginDemo();
  const { services } = await import("@/main.ts");
  const { accounts, config, database, pusherApp, realtime } = services;
  await accounts.add({ ...demo.admin, role: "admin" });
  const { recordPast } = await import("@/server/demo/demo_past.ts");
  await recordPast(database, { timeZone: config.timeZone, now: Date.now() });
  await import("../serve.ts");
  const { DemoCrowd } = await import("@/server/demo/demo_crowd.ts");
  const crowd = new DemoCrowd(`ws://${reachable(host)}:${port}`, pusherApp, realtime);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => crowd.stop());
  }
  crowd.begin();
  console.log(`Open the demo, signed in: ${config.appUrl.origin}/demo?token=${demo.token}`);
  console.log("Everyone in it is made up. Ctrl-C ends it and removes all of it.");
}

/** The port that was asked for, or one that is free. */
function freePort(host: string, asked = "0"): string {
  if (asked !== "0") return asked;
  const listener = Deno.listen({ hostname: host, port: 0 });
  listener.close();
  return String(listener.addr.port);
}

/** Where this process reaches itself. */
function reachable(host: string): string {
  if (host === "::" || host === "0.0.0.0") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
