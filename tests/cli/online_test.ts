import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Quiet } from "@/cli/commands/online.ts";
import { AdmittedSocket } from "../fixtures/admitted_socket.ts";
import { rollcall } from "../fixtures/command_line.ts";
import { until } from "../fixtures/eventually.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { MemberSockets } from "../fixtures/member_sockets.ts";
import { moveIn, userId } from "../fixtures/people.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("rollcall online, message and wait", () => {
  let server: Rollcall;
  let admin: HttpVisitor;
  let members: MemberSockets;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    server = await Rollcall.start({
      PUSHER_APP_ID: app.id,
      PUSHER_APP_KEY: app.key,
      PUSHER_APP_SECRET: app.secret,
      PRESENCE_GRACE_MS: "0",
    });
    [admin] = await moveIn(server);
    for (const scope of ["count", "ids", "names", "messages"]) {
      const created = await run(["token", "create", scope, "--scope", scope]);
      tokens[scope] = created.stdout.trim();
    }
    members = new MemberSockets(server, app);
    await members.join({ id: "ann", options: { name: "Ann Ek" } }, "ben");
    members.use("ann", { state: "active" });
    const headers = { authorization: `Bearer ${tokens.count}` };
    const isActive = async () =>
      /"active":1/.test(
        (await new HttpVisitor(server.origin).send("GET", "/api/v1/online", undefined, headers))
          .text,
      );
    await until(isActive, "one of them was active");
  });
  afterAll(async () => {
    await members[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const run = (words: string[], scope?: string) =>
    rollcall(words, {
      DATA_DIR: server.dataFolder,
      APP_URL: server.origin,
      ...scope !== undefined && { ROLLCALL_TOKEN: tokens[scope] ?? scope },
    });

  it("print the number, and who is online as far as the token reads", async () => {
    const count = await run(["online"], "count");
    assert.deepEqual(count, { code: 0, stdout: "2 users online, 1 active\n", stderr: "" });
    const ids = await run(["online", "--status", "active"], "ids");
    assert.match(
      ids.stdout,
      /^2 users online, 1 active\n\nID +ONLINE SINCE +STATUS\nann +20\S+Z +active\n$/,
    );
    const names = await run(["online", "--url", `${server.origin}/`], "names");
    assert.match(names.stdout, /^ann +Ann Ek +20\S+Z +active$/m);
    const { people, users } = JSON.parse((await run(["online", "--json"], "ids")).stdout);
    assert.deepEqual([users, people.map(({ id }: { id: string }) => id)], [2, ["ann", "ben"]]);
  });

  it("print users and guests apart where guests are among them", async () => {
    await using guest = await AdmittedSocket.joinAs(server, app, `guest-${"0".repeat(32)}`);
    const { stdout } = await run(["online"], "count");
    assert.equal(stdout, "3 online (2 users, 1 guest), 1 active\n");
    assert.equal(JSON.parse((await run(["online", "--json"], "count")).stdout).guests, 1);
    await guest.close();
    const isGone = async () => (await run(["online"], "count")).stdout.startsWith("2 users");
    await until(isGone, "the guest had left");
  });

  it("say why they cannot", async () => {
    const cases = [
      [["online"], undefined, 2, /ROLLCALL_TOKEN has no token of the API/],
      [["online"], "rollcall_wrong", 1, /: This API token is invalid or has been revoked$/m],
      [["online", "--status", "active"], "count", 1, /needs a token with the scope ids/],
      [["online", "--url", "nowhere"], "count", 2, /--url is "nowhere", not a URL/],
      [["online", "--url", "http://127.0.0.1:9"], "count", 1, /127\.0\.0\.1:9 does not answer/],
      [
        ["message", "Hi"],
        "names",
        1,
        /needs a token with the scope messages; this one has names$/m,
      ],
      [["message"], "messages", 2, /TEXT/],
      [["wait"], "count", 2, /Missing --below/],
      [["wait", "--below", "x"], "count", 2, /--below is "x", not a whole number/],
    ] as const;
    for (const [words, scope, code, fault] of cases) {
      const result = await run([...words], scope);
      assert.deepEqual([result.code, result.stdout], [code, ""], result.stderr);
      assert.match(result.stderr, fault);
    }
  });

  it("message everyone, or one person", async () => {
    const ada = await userId(admin, { email: "ada@example.com" });
    await using page = await AdmittedSocket.connect(server, app.key, admin);
    await page.join(`private-rollcall.users.${ada}`);
    await page.join("presence-chart");
    const one = await run(["message", "Only you", "--to", ada], "messages");
    assert.deepEqual(one, { code: 0, stdout: `Sent to ${ada}.\n`, stderr: "" });
    const all = await run(["message", "All of you"], "messages");
    assert.deepEqual([all.code, all.stderr], [0, ""]);
    assert.match(all.stdout, /^Sent to everyone online\. Your app's pages have to show it/);
    for (const text of ["Only you", "All of you"]) {
      const { data } = await page.next("App\\Events\\MessageSent");
      assert.deepEqual([data.from, data.text], ["messages", text]);
    }
    await page.close();
    const refused = await run(["message", "Hi", "--to", "ann"], "messages");
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /This person is in your own app/);
  });

  it("wait until few users are online, and no longer than they are told", async () => {
    const late = await run(["wait", "--below", "2", "--timeout", "0"], "count");
    assert.deepEqual([late.code, late.stdout], [3, ""]);
    assert.match(late.stderr, /Not quiet within the time\. 2 users online, 1 active$/m);
    const waiting = run(["wait", "--below", "2", "--for", "1"], "count");
    await members.leave("ben");
    assert.deepEqual(await waiting, { code: 0, stdout: "1 user online, 1 active\n", stderr: "" });
  });
});

describe("quiet", () => {
  it("is fewer online than a number, for as long as it has to be without a break", () => {
    const quiet = new Quiet(3, 2_000);
    const taken = [[2, 0], [2, 1_999], [3, 2_000], [2, 3_000], [null, 4_000], [0, 5_000], [
      2,
      7_000,
    ]];
    const over = taken.map(([users, at]) => quiet.isOver(users, at!));
    assert.deepEqual(over, [false, false, false, false, false, false, true]);
    assert.ok(new Quiet(1, 0).isOver(0, 0));
  });
});
