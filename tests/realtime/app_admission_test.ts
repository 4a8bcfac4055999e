import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { Connection } from "@/realtime/connections/connection.ts";
import { AppAdmission } from "@/realtime/app_connections.ts";
import { type Close, closes } from "@/realtime/protocol/close_codes.ts";
import { ManualClock } from "./manual_clock.ts";

/** The rules of an app on one server, with as many open connections as `open` says. */
function appWith(rules: { enabled?: boolean; joinTimeoutMs?: number; maxConnections?: number }) {
  const clock = new ManualClock();
  const app = { enabled: true, joinTimeoutMs: 0, maxConnections: 0, ...rules, open: 0 };
  const admission = new AppAdmission({
    settings: () => app,
    count: () => app.open,
    broker: { isShared: false, connections: () => Promise.resolve(undefined) },
    remote: () => Promise.resolve(0),
    clock,
  });
  const closed: string[] = [];
  const connection = (name: string) =>
    ({ fail: ({ code }: Close) => void closed.push(`${name} ${code}`) }) as Connection;
  return { app, clock, closed, connection, admission };
}

describe("The admission of connections to an app", () => {
  it("refuses further connections when there are as many as may be, until one is gone", () => {
    const { app, admission } = appWith({ maxConnections: 2 });
    const full = { close: closes.appFull(2), limit: "connectionsOfApp" };
    for (const [open, refusal] of [[1, undefined], [2, full], [1, undefined]] as const) {
      app.open = open;
      assert.deepEqual(admission.refusal(), refusal);
    }
    Object.assign(app, { open: 1_000_000, maxConnections: 0 });
    assert.equal(admission.refusal(), undefined);
  });

  it("refuses every connection while the app is disabled", () => {
    const { app, admission } = appWith({ enabled: false });
    assert.deepEqual(admission.refusal(), { close: closes.appDisabled });
    app.enabled = true;
    assert.equal(admission.refusal(), undefined);
  });

  it("closes connections that do not authorize in time, and no others", () => {
    const { clock, closed, connection, admission } = appWith({ joinTimeoutMs: 1_000 });
    const [ann, bob, cid] = ["ann", "bob", "cid"].map(connection);
    for (const each of [ann, bob, cid]) admission.opened(each);
    admission.authorized(bob);
    admission.released(cid);
    clock.advance(999);
    assert.deepEqual([closed, admission.unauthorized], [[], 1]);
    clock.advance(1);
    assert.deepEqual(closed, ["ann 4009"]);
    admission.opened(connection("dan"));
    admission.stop();
    assert.equal(clock.timers, 0);
  });

  it("gives each connection the time of the settings", () => {
    const { app, clock, closed, connection, admission } = appWith({});
    admission.opened(connection("ann"));
    assert.deepEqual([admission.unauthorized, clock.timers], [0, 0]);
    app.joinTimeoutMs = 500;
    admission.configured();
    admission.opened(connection("bob"));
    clock.advance(500);
    assert.deepEqual(closed, ["bob 4009"]);
  });
});
