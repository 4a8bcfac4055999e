import { chapters } from "./chapters.ts";
import { Outcomes } from "./outcomes.ts";
import { Rig } from "./rig.ts";
import { ServerProcess } from "./server_process.ts";

const outcomes = new Outcomes();
let server: ServerProcess;

Deno.test.beforeAll(async () => {
  server = await ServerProcess.start();
});

Deno.test.afterAll(async () => {
  await server.stop();
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
