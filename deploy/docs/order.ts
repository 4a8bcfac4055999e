import { internalsGroup } from "@/shared/docs.ts";

/** A document of the repository that is a page of the documents at `/docs`. */
export interface DocsSource {
  /** Its path in the repository. */
  path: string;
  /** Its name in addresses. */
  name: string;
  /** The title of its group. */
  group: string;
}

/**
 * The pages of the documents, by groups, in the order of the navigation. A page of `docs/` is here by its name
 * without the ending; others by their path.
 */
const order: readonly (readonly [group: string, pages: readonly string[]])[] = [
  ["Start", [
    "README.md",
    "concepts",
    "quickstart",
    "tutorials/laravel-app",
    "tutorials/express-app",
    "tutorials/any-site",
  ]],
  ["Connect your app", [
    "laravel",
    "laravel-package",
    "laravel-events",
    "javascript",
    "client",
    "other-backends",
    "site-tag",
    "identify",
    "pages-and-activity",
    "large-rooms",
    "http-api",
    "api",
    "api-events",
    "webhooks",
    "embed",
    "migrate",
  ]],
  ["Use", ["dashboard", "people", "channels", "activity", "alerts", "team", "apps"]],
  ["Recipes", [
    "recipes/before-a-deployment",
    "recipes/online-dots",
    "recipes/push-if-offline",
    "recipes/wallboard-on-a-tv",
    "recipes/behind-cloudflare",
    "recipes/one-to-three-servers",
  ]],
  ["Install", ["install", "executable", "container", "kubernetes", "npx", "deno-deploy"]],
  ["Operate", [
    "proxies",
    "proxy-variants",
    "backup",
    "postgresql",
    "workers",
    "cluster",
    "monitoring",
    "check",
    "troubleshooting",
    "sign-in",
    "second-factors",
    "email",
    "languages",
    "privacy",
    "SECURITY",
  ]],
  ["Reference", [
    "settings",
    "limits",
    "http-api-reference",
    "webhooks-reference",
    "external-server",
    "metrics",
    "performance",
    "versions",
    "CHANGELOG.md",
  ]],
  [internalsGroup, [
    "internals/architecture",
    "internals/protocol",
    "internals/cluster-details",
    "internals/reconnecting",
    "internals/scaling",
    "internals/testing",
    "CONTRIBUTING.md",
  ]],
];

/** Names that differ from those of the files. */
const names: Readonly<Record<string, string>> = { "README.md": "overview" };

/** The pages that the order has, whether their files exist or not. */
export const orderedSources: readonly DocsSource[] = order.flatMap(([group, pages]) =>
  pages.map((page) => ({
    group,
    name: nameOf(page),
    path: page.endsWith(".md") ? page : `docs/${page}.md`,
  }))
);

function nameOf(page: string): string {
  return names[page] ?? page.replace(/^.*\/|\.md$/g, "").toLowerCase();
}

/**
 * The documents of the repository in the working folder, in order. A file of `docs/` that the order does not
 * have yet comes last.
 */
export function docsSources(): DocsSource[] {
  const paths = new Set(markdownBelow("docs"));
  const present = orderedSources.filter(({ path }) =>
    paths.delete(path) || !path.startsWith("docs/")
  );
  const others = [...paths].map((path) => ({
    path,
    name: nameOf(path),
    group: "More",
  }));
  return [...present, ...others];
}

/** The paths of the Markdown files of a folder and of those in it, sorted. */
export function markdownBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? markdownBelow(path) : name.endsWith(".md") ? [path] : [];
  }).sort();
}
