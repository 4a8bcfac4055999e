import assert from "node:assert/strict";
import { AskedProcess } from "../fixtures/asked_process.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import { leftovers, type Sizes } from "../fixtures/sizes.ts";
import type { WholeAppReady } from "../fixtures/whole_app.ts";

/** The whole app that is sent strange requests, and an admin who is signed in to it. */
export class FuzzedPages implements AsyncDisposable {
  private constructor(
    readonly process: AskedProcess,
    readonly port: number,
    readonly admin: HttpVisitor,
    readonly before: Sizes,
    readonly dataFolder: string,
  ) {}

  static async start(): Promise<FuzzedPages> {
    const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const script = new URL("./page_server.ts", import.meta.url);
    const environment = { DATA_DIR: dataFolder, LOG_LEVEL: "error" };
    const { process, ready } = await AskedProcess.start<WholeAppReady>(script, [], environment);
    const before = await process.ask<Sizes>("sizes");
    const admin = new HttpVisitor(`http://127.0.0.1:${ready.port}`);
    await admin.setUp(ready.setupToken, ada);
    return new FuzzedPages(process, ready.port, admin, before, dataFolder);
  }

  /** Checks that the server keeps nothing of connections, and has complained of nothing. */
  async isUntouched(): Promise<void> {
    const sizes = await this.process.ask<Sizes>("sizes");
    assert.deepEqual(leftovers(sizes, this.before), []);
    assert.equal(this.process.errors, "", "The server printed an error");
  }

  /** Pages still come. */
  async serves(): Promise<void> {
    const { status } = await new HttpVisitor(this.admin.origin).get("/sign-in");
    assert.equal(status, 200);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await Deno.remove(this.dataFolder, { recursive: true });
  }
}
