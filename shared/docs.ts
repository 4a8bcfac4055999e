/** A heading of a page, as its table of contents has it. */
export interface DocsHeading {
  /** 2 for a part of the page, 3 for a part of that. */
  depth: number;
  id: string;
  text: string;
}

/** A page of the documents. */
export interface DocsPage {
  /** Its name in addresses. */
  name: string;
  title: string;
  /** What it is about, as plain text: its first sentence. */
  description: string;
  /** The title of its group. */
  group: string;
  headings: DocsHeading[];
  html: string;
}

/** What is below a heading of a page, up to the next heading. */
export interface DocsSection {
  /** The name of its page. */
  page: string;
  /** The title of its page. */
  title: string;
  /** The id of its heading; empty for the beginning of the page. */
  anchor: string;
  /** Empty for the beginning of the page. */
  heading: string;
  text: string;
}

/** The documents, as the build writes them: their pages in order, and what a search looks through. */
export interface Docs {
  pages: DocsPage[];
  sections: DocsSection[];
}

/** The path of a page of the documents, or of a section of it. A test finds each use, and its section. */
export function docsPath(page: string, section?: string): string {
  return `/docs/${page}${section === undefined ? "" : `#${section}`}`;
}

/** The group of pages about how Rollcall is made: they are in the list of all pages, and not in the navigation. */
export const internalsGroup = "Internals";

/** The pages of the documents by groups, in order. */
export function docsGroups(
  pages: readonly DocsPage[],
): { title: string; pages: DocsPage[] }[] {
  const groups = Map.groupBy(pages, ({ group }) => group);
  return [...groups].map(([title, pages]) => ({ title, pages }));
}

/** The sections about the steps of a check of the public address, by the names of the steps. */
const stepDocs: Readonly<Record<string, string>> = {
  dns: docsPath("settings", "app_url"),
  tcp: docsPath("install", "what-must-stand-in-front"),
  tls: docsPath("settings", "https-and-proxies"),
  page: docsPath("troubleshooting", "the-server-refuses-connections"),
  installation: docsPath("cluster", "requirements"),
  clock: docsPath("troubleshooting", "server-requests-fail"),
  headers: docsPath("proxies", "headers"),
  client_address: docsPath("proxies", "client-addresses"),
  upgrade: docsPath("proxies", "websockets"),
  connection: docsPath("troubleshooting", "clients-do-not-connect"),
  signature: docsPath("troubleshooting", "joining-a-channel-fails"),
  event: docsPath("troubleshooting", "server-requests-fail"),
  idle: docsPath("proxies", "timeouts"),
};

/** The path of the section about a step of a check. */
export function stepDocsPath(step: string): string {
  return stepDocs[step] ?? docsPath("check");
}
