import { BuiltApp } from "./built_app.ts";
import { chapters } from "./chapters.ts";
import { Outcomes } from "./outcomes.ts";
import { Rig } from "./rig.ts";

const outcomes = new Outcomes();
let server: BuiltApp;

Deno.test.beforeAll(async () => {
  server = await BuiltApp.start();
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  console.log(outcomes.table(chapters));
});

for (const { rules } of chapters) {
  for (const { id, text, proof } of rules) {
    Deno.test(`${id}: ${text}`, async () => {
      outcomes.began(id);
      {
        await using rig = await Rig.open(server);
        await proof(rig);
      }
      outcomes.passed(id);
    });
  }
}
