import { createHash } from "node:crypto";
import { mustRun } from "./application.ts";

const headerFile = new URL("header.sh", import.meta.url);

/**
 * Writes a shell script with an archive of a folder. At its first start for a user it unpacks the
 * archive; it then runs the folder's `app/program/main.js` with the folder's `deno`. The same content
 * makes the same file.
 *
 * @param folder its files may have names of letters, digits, `.`, `_`, `-`, `@`, `[`, `]` and `/`.
 * @throws {Error} when a name has other characters.
 */
export async function writeSelfExtracting(folder: string, output: string): Promise<void> {
  const files = await filesBelow(folder);
  const strange = files.find((file) => !/^[\w./@[\]-]+$/.test(file));
  if (strange) throw new Error(`${JSON.stringify(strange)} cannot be packaged: rename it`);
  const checksums = await mustRun("sh", ["-c", 'cd "$0" && cksum -- "$@"', folder, ...files]);
  const payload = await pack(folder, files);
  const header = headerOf(await Deno.readTextFile(headerFile), {
    payload_hash: createHash("sha256").update(payload).digest("hex"),
    checksums: checksums.trimEnd(),
    machine: Deno.build.arch === "aarch64" ? "arm64" : "x86-64",
  }, payload.length);
  // Renamed when complete, so that no incomplete file can be started.
  const partial = `${output}.new`;
  await Deno.writeFile(partial, header, { mode: 0o755 });
  await Deno.writeFile(partial, payload, { append: true });
  await Deno.chmod(partial, 0o755);
  await Deno.rename(partial, output);
}

async function filesBelow(folder: string, below = ""): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    if (isDirectory) files.push(...await filesBelow(folder, `${below}${name}/`));
    else files.push(below + name);
  }
  return files.sort();
}

/**
 * Makes a compressed archive, without owners and times of this machine. Better compression would save 7 %
 * of the size and take three times as long.
 */
async function pack(folder: string, files: string[]): Promise<Uint8Array<ArrayBuffer>> {
  const options = ["--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--mode=u=rwX,go="];
  const archive = `${folder}.tar`;
  await mustRun("tar", ["-C", folder, "--format=ustar", ...options, "-cf", archive, ...files]);
  await mustRun("gzip", ["-1nf", archive]);
  const packed = await Deno.readFile(`${archive}.gz`);
  await Deno.remove(`${archive}.gz`);
  return packed;
}

/** Fills in the header's fields. One is its own length, which includes the digits of that number. */
function headerOf(
  template: string,
  values: Record<string, string>,
  payloadLength: number,
): Uint8Array<ArrayBuffer> {
  let length = 0;
  while (true) {
    const places: Record<string, string> = {
      ...values,
      payload_start: String(length + 1),
      file_bytes: String(length + payloadLength),
    };
    const filled = template.replace(/@(\w+)@/g, (_, name) => places[name]);
    const header = new TextEncoder().encode(filled);
    if (header.length === length) return header;
    length = header.length;
  }
}
