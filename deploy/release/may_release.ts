import { parseArgs } from "node:util";

/** What `deno.json` says of what is built here. */
interface Manifest {
  version: string;
  /** Folders that take the place of packages of JSR. */
  links?: string[];
}

/**
 * Says why this source is not to be released.
 *
 * @param tag such as `v0.2.0`.
 * @param changelog the text of `CHANGELOG.md`.
 * @param composer the manifest of the Laravel package.
 * @returns one line for each reason; none if it may be released.
 */
export function whyNotReleased(
  tag: string,
  { version, links = [] }: Manifest,
  changelog: string,
  composer: { version: string },
): string[] {
  const shims = links.filter((link) => link.startsWith("./packages/jsr/"));
  const heading = new RegExp(
    `^## ${version.replaceAll(".", "\\.")} \\(\\d{4}-\\d\\d-\\d\\d\\)$`,
    "m",
  );
  const reasons: [isSo: boolean, reason: string][] = [
    [tag !== `v${version}`, `The tag is ${tag}, and deno.json has the version ${version}`],
    [
      composer.version !== version,
      `packages/laravel/composer.json has the version ${composer.version}`,
    ],
    [!heading.test(changelog), `CHANGELOG.md has no heading “## ${version} (YEAR-MONTH-DAY)”`],
    [
      shims.length > 0,
      `The build has shims for packages of JSR, ${shims.join(" and ")}: ` +
      "run deno task install:production where JSR answers",
    ],
  ];
  return reasons.filter(([isSo]) => isSo).map(([, reason]) => reason);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { tag: { type: "string", default: "" } } });
  const [manifest, changelog, composer] = await Promise.all(
    ["deno.json", "CHANGELOG.md", "packages/laravel/composer.json"].map((path) =>
      Deno.readTextFile(path)
    ),
  );
  const reasons = whyNotReleased(
    values.tag,
    JSON.parse(manifest),
    changelog,
    JSON.parse(composer),
  );
  for (const reason of reasons) console.error(reason);
  Deno.exit(reasons.length > 0 ? 1 : 0);
}
