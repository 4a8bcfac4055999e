import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { billOfMaterials } from "./bill_of_materials.ts";

/**
 * Completes the folder of a release, which has the executables and packages: adds the bill of materials,
 * `install.sh` with the address of this release in it, and `SHA256SUMS` of all other files.
 *
 * @param address where the files will be, such as `https://example.com/releases/v0.2.0`.
 */
export async function collectRelease(folder: string, address: string): Promise<void> {
  if (!/^https:\/\/[\w.:/-]+[\w-]$/.test(address)) {
    throw new Error(`${JSON.stringify(address)} is not allowed; expected https:// and a path`);
  }
  const bill = billOfMaterials(await Deno.readTextFile("deno.lock"));
  await Deno.writeTextFile(`${folder}/rollcall.cdx.json`, bill);
  const script = await Deno.readTextFile("deploy/install.sh");
  await Deno.writeTextFile(`${folder}/install.sh`, script.replace("@release@", () => address));
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, await checksumsOf(folder));
}

/** A line for each file but the list itself, as `sha256sum` writes and reads it. */
async function checksumsOf(folder: string): Promise<string> {
  const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => name).filter((name) => name !== "SHA256SUMS").sort();
  const lines = names.map(async (name) => {
    const content = await Deno.readFile(`${folder}/${name}`);
    return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}

if (import.meta.main) {
  const { values, positionals: [folder] } = parseArgs({
    options: { address: { type: "string", default: "" } },
    allowPositionals: true,
  });
  await collectRelease(folder, values.address);
}
