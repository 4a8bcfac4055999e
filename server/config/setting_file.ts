/** Maximum size of a file that a setting names, in bytes. */
export const maxFileBytes = 1_048_576;

/**
 * Reads a text file that a setting names.
 *
 * @throws {Error} when it is not a file, cannot be read, or is larger than {@link maxFileBytes}.
 */
export function readSettingFile(path: string): string {
  const { isFile, size } = Deno.statSync(path);
  if (!isFile || size > maxFileBytes) throw new Deno.errors.InvalidData("not a small file");
  return Deno.readTextFileSync(path);
}

/** Reads a text file, or throws. */
export type ReadFile = (path: string) => string;
