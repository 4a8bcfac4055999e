import { bystander, joins } from "./bystander.ts";

/** The process of the users online. Prints a line when all are in. */
const { port, app, count } = JSON.parse(Deno.args[0]);
for (let n = 0; n < count; n++) {
  const client = await bystander(port, app, `198.51.100.${n % 100}`);
  await joins(client, app, "presence-chart", `user-${n}`);
  client.discardMessages();
}
console.log("ready");
