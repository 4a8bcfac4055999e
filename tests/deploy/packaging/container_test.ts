import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { validate } from "dockerfile-utils";
import { EmptyRoot } from "../../fixtures/empty_root.ts";
import { Image } from "../../fixtures/image.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** Limit for a health check on a busy machine, in milliseconds. */
const timeoutMs = 180_000;

const ignore = !(await EmptyRoot.isPossible());

describe("the container", () => {
  const containerfile = Deno.readTextFileSync("deploy/Containerfile");

  it("has a valid Containerfile with the tested version of Deno", () => {
    assert.deepEqual(validate(containerfile), []);
    assert.match(containerfile, new RegExp(`/deno:debian-${Deno.version.deno} AS build`));
  });

  it(
    "serves from a read-only root without privileges, reports its health, and stops",
    { ignore },
    async () => {
      await using image = await Image.build(containerfile);
      const { start, healthCheck, user, stopSignal } = image.settings;
      assert.ok(user > 0);
      const command = image.command(start, {
        PORT: "0",
        HOST: "127.0.0.1",
        DRAIN_MS: "0",
        // As many files as that may be open anywhere.
        MAX_CONNECTIONS: "100",
      });
      const server = await Rollcall.startCommand(command);
      const environment = { PORT: new URL(server.origin).port };
      const isHealthy = async () => {
        const [program, ...args] = image.command(healthCheck, environment);
        const signal = AbortSignal.timeout(timeoutMs);
        const { code } = await new Deno.Command(program, { args, signal }).output();
        return code === 0;
      };
      assert.ok(await isHealthy());
      assert.ok(await server.setupToken());
      await keepPort(Number(environment.PORT));
      server.signal(stopSignal);
      assert.equal((await server.ended()).code, 0);
      assert.equal(await isHealthy(), false);
      const kept = [...Deno.readDirSync(`${image.root.folder}/data`)].map(({ name }) => name);
      assert.ok(kept.includes("secrets.json"), kept.join());
      const warnings = server.log.split("\n").filter((line) => /WARN|ERROR/i.test(line));
      assert.equal(warnings.filter((line) => !/Runs on shims/.test(line)).join("\n"), "");
      await server[Symbol.asyncDispose]();
    },
  );
});
