import { attacks } from "./attacks.ts";

/** The process of the stranger, until it is killed. */
const { name, target } = JSON.parse(Deno.args[0]);
const attack = attacks.find((attack) => attack.name === name);
if (!attack) throw new Error(`There is no attack ${name}`);
globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault());
// What it opened stays open when it has nothing more to do.
setInterval(() => {}, 60_000);
await attack.run(target);
