import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { printable, table } from "@/cli/help.ts";
import { AdmittedSocket } from "../fixtures/admitted_socket.ts";
import { rollcall } from "../fixtures/command_line.ts";
import { until } from "../fixtures/eventually.ts";
import { ben, moveIn, userId } from "../fixtures/people.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { Rollcall } from "../fixtures/rollcall.ts";

const key = "a-key-of-the-tests";
const email = "grace@example.com";
const password = "a password of Grace's";

describe("rollcall user, while the server runs", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  function run(words: string[], input = "") {
    return rollcall(["user", ...words], { DATA_DIR: server.dataFolder }, input);
  }

  it("adds the first admin, who can sign in and sees the entry in the admin log", async () => {
    const added = await run(["add", email, "--name", "Grace", "--role", "admin"], `${password}\n`);
    assert.deepEqual(added, {
      code: 0,
      stdout: `Added ${email} as admin, in ${server.dataFolder}.\n`,
      stderr: "",
    });
    const grace = new HttpVisitor(server.origin);
    await grace.signIn({ email, password });
    const { text } = await grace.get("/admin/activity/admins");
    assert.match(text, /Command line/);
    assert.doesNotMatch(text, /people\/command-line/);
  });

  it("refuses the input that the page refuses", async () => {
    const again = await run(["add", email, "--name", "Other"], `${password}\n`);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /^rollcall: email: This email is already in use\.\n$/);
    for (
      const [words, input, fault] of [
        [["add", "b@example.com", "--name", "B"], "short\n", /password: At least 10 characters/],
        [["add", "b@example.com", "--name", "B"], "", /Missing password/],
        [["add", "nobody", "--name", "B"], `${password}\n`, /email: Enter a valid email\./],
        [["add", "b@example.com"], `${password}\n`, /Missing --name/],
        [["add", "b@example.com", "--name", "B", "--role", "boss"], "", /--role is "boss"/],
      ] as const
    ) {
      const { code, stdout, stderr } = await run([...words], input);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, fault);
    }
  });

  it("exits with 2 when settings contradict each other", async () => {
    const shop = { id: "shop", key: "shop-key", secret: "the-secret-of-the-shop" };
    const { code, stdout, stderr } = await rollcall(["user", "list"], {
      DATA_DIR: server.dataFolder,
      APPS: JSON.stringify([shop]),
      PUSHER_APP_ID: "shop",
      PUSHER_APP_KEY: "another-key",
    });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^PUSHER_APP_KEY: .* expected the same, or none\n$/);
  });

  it("lists the users as a table, and as JSON with --json", async () => {
    const { stdout } = await run(["list"]);
    assert.match(
      stdout,
      /^EMAIL +NAME +ROLE +MAY SEE +SINCE\ngrace@example\.com +Grace +admin +everything +20..-..-..\n$/,
    );
    const [listed] = JSON.parse((await run(["list", "--json"])).stdout);
    assert.deepEqual([listed.email, listed.role, listed.disabled], [email, "admin", false]);
  });

  it("limits a viewer to apps and channels, whose open page is closed, and lifts it", async () => {
    const [vee, own] = ["vee@example.com", "the-app"];
    await run(["add", vee, "--name", "Vee", "--role", "viewer"], `${password}\n`);
    const limit = (...words: string[]) =>
      rollcall(["user", "limit", vee, ...words], {
        DATA_DIR: server.dataFolder,
        PUSHER_APP_ID: own,
      });
    const viewer = new HttpVisitor(server.origin);
    await viewer.signIn({ email: vee, password });
    await using tab = await AdmittedSocket.connect(server, key, viewer);
    await tab.join("private-rollcall.online");
    const limited = await limit("shop", "shop/presence-x", "presence-desk");
    const expected =
      `${vee} may see shop, shop/presence-x, ${own}/presence-desk, in ${server.dataFolder}.\n`;
    assert.deepEqual([limited.code, limited.stdout], [0, expected]);
    assert.equal(await tab.closeCode(), 4200);
    assert.equal((await viewer.get("/admin/online")).status, 303);
    assert.match(
      (await run(["list"])).stdout,
      /viewer +shop, shop\/presence-x, the-app\/presence-desk/,
    );
    assert.match((await limit("everything")).stdout, /may see everything/);
    for (const wrong of [["everything", "shop"], ["a b"], ["shop/orders"], ["/presence-x"]]) {
      assert.equal((await limit(...wrong)).code, 2, wrong.join(" "));
    }
  });

  it("resets a password, ends all sessions and closes open connections", async () => {
    const before = new HttpVisitor(server.origin);
    await before.signIn({ email, password });
    await using socket = await AdmittedSocket.connect(server, key, before);
    await socket.join("presence-chart");
    const reset = await run(["reset-password", "Grace@Example.com"], "quite another password\n");
    assert.equal(reset.code, 0);
    assert.match(reset.stdout, /^Reset the password of grace@example\.com/);
    assert.equal((await before.get("/admin/settings/team")).status, 303);
    assert.equal(await socket.closeCode(), 4200, "open pages have to sign in again");
    const after = new HttpVisitor(server.origin);
    await after.signIn({ email, password: "quite another password" });
    assert.equal((await after.get("/admin/settings/team")).status, 200);
    const { code, stderr } = await run(["reset-password", "ghost@example.com"], `${password}\n`);
    assert.deepEqual([code, stderr], [
      1,
      `rollcall: No user in ${server.dataFolder} has the email "ghost@example.com"\n`,
    ]);
  });
});

describe("rollcall user delete, while the server runs", () => {
  it("deletes the account of a user, who is signed out, and leaves “A removed person” in the admin log", async () => {
    await using server = await Rollcall.start({ PUSHER_APP_KEY: key, PRESENCE_GRACE_MS: "0" });
    const [admin, visitor] = await moveIn(server, "user");
    const id = await userId(admin, ben);
    const run = (of: string) => rollcall(["user", "delete", of], { DATA_DIR: server.dataFolder });
    await using tab = await AdmittedSocket.connect(server, key, visitor);
    await tab.join("presence-chart");
    const activity = async () => (await admin.get("/admin/activity")).text;
    await until(async () => (await activity()).includes("Ben"), "the join was stored");

    assert.deepEqual(await run("BEN@example.com"), {
      code: 0,
      stdout: `Deleted a user in ${server.dataFolder}.\n`,
      stderr: "",
    });
    assert.equal(await tab.closeCode(), 4200);
    assert.equal((await visitor.get("/account")).status, 303);
    assert.equal((await visitor.signIn(ben)).status, 422);
    assert.doesNotMatch(await activity(), /Ben|ben@/);
    const audit = (await admin.get("/admin/activity/admins")).text;
    assert.match(audit, /Command line[^]*Deleted a user[^]*A removed person/);
    assert.ok(!audit.includes(id) && !audit.includes(ben.email));
  });

  it("refuses the only admin, and who is not there", async () => {
    await using server = await Rollcall.start();
    const [admin] = await moveIn(server, "user");
    const run = (of: string) => rollcall(["user", "delete", of], { DATA_DIR: server.dataFolder });
    const { code, stderr } = await run("ada@example.com");
    assert.deepEqual([code, stderr], [1, "rollcall: You can't delete the only admin.\n"]);
    assert.equal((await admin.get("/admin/settings/team")).status, 200);
    assert.match((await run("ghost@example.com")).stderr, /has the email "ghost@example\.com"/);
  });
});

describe("rollcall user reset-second-factor", () => {
  it("says so of a user who has none", async () => {
    await using server = await Rollcall.start();
    await moveIn(server);
    const words = ["user", "reset-second-factor", "Ada@Example.com"];
    const { code, stderr } = await rollcall(words, { DATA_DIR: server.dataFolder });
    assert.deepEqual([code, stderr], [1, "rollcall: No second factor is set up.\n"]);
  });
});

describe("the output of rollcall user list", () => {
  it("has escapes in the place of controls and of marks that turn the direction of text", () => {
    const text = table([["NAME"], ["Carl\u202enimda\u0007\u009b\u200f"], ["Åsa 李"]]);
    assert.equal(printable(text), "NAME\nCarl\\u202enimda\\u0007\\u009b\\u200f\nÅsa 李");
  });
});
