import { documents } from "./documents.ts";

/** `deno task docs`: writes the documents that are generated from the program. */
for (const [path, textOf] of Object.entries(documents)) {
  await Deno.writeTextFile(path, await textOf());
  console.log(`Wrote ${path}`);
}
