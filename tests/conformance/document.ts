import { formatted } from "@/tools/docs/page_parts.ts";
import settings from "@/deno.dev.json" with { type: "json" };
import { type Source, sources, type Suite } from "./suite.ts";
import { ofOneServer, suites } from "./suites.ts";

/** The rules, suite by suite, as Markdown. */
export async function protocolDocument(): Promise<string> {
  const links = Object.values(sources).map(({ title, url }) => `[${title}]: ${url}`).join("\n");
  return await formatted(
    [introduction(), ...suites.map(section), ofServers(), links].join("\n\n") + "\n",
  );
}

function introduction(): string {
  const rules = suites.flatMap((suite) => suite.rules).length;
  const deviations = suites.flatMap((suite) => suite.deviations).length;
  const libraries = ["pusher-js", "laravel-echo", "pusher"] as const;
  const versions = libraries.map((name) => `\`${settings.imports[name].slice("npm:".length)}\``);
  return `# The Pusher protocol, rule by rule

Rollcall supports version 7 of the Pusher Channels protocol: ${rules} rules, and ${deviations} in
which it differs. Each rule has a test of its name in \`tests/conformance/suites/\`, which drives the
running server with the official libraries ${versions.join(", ")} from npm.
\`deno task build && deno test --config deno.dev.json -A tests/conformance\` runs them and prints this list with the result
of each.

\`deno task docs\` writes this file from those tests.`;
}

function ofServers(): string {
  const lines = Object.entries(ofOneServer).map(([id, reason]) => `| \`${id}\` | ${reason} |`);
  return `## Several servers

Three servers that share their users, behind a proxy that gives them connections in turn, pass the same
tests, except for these of one server:

| test | reason |
| --- | --- |
${lines.join("\n")}`;
}

function section({ title, rules, deviations }: Suite): string {
  const lines = [
    ...rules.map(({ id, text, source }) => row(id, text, "yes", source)),
    ...deviations.map(({ id, text, source }) => row(id, text, "differs", source)),
  ];
  const head = "| test | rule | supported | follows |\n| --- | --- | --- | --- |";
  return [`## ${title}\n`, head, ...lines].join("\n");
}

function row(id: string, text: string, supported: string, { title }: Source): string {
  return `| \`${id}\` | ${text.replaceAll("|", "\\|")} | ${supported} | [${title}] |`;
}
