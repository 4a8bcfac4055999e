/** The first lines of the build, which name the version that it was made of. */
export function builtVersion(version: string): string {
  return `/*! pusher-js ${version} (https://pusher.com), MIT license; built by tools/pusher_js/main.ts */
// deno-fmt-ignore-file
// deno-lint-ignore-file`;
}
