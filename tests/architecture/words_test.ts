import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";

/** A word that the project once had for something that the field has a term for. */
interface OldWord {
  /** As code, comments and documents had it. */
  word: RegExp;
  /** The field's term. */
  instead: string;
  /** Where it may not stand. Default: everywhere. */
  where?: RegExp;
  /** Files in which it is a public name, or means something else. */
  exceptions?: readonly string[];
}

const oldWords: OldWord[] = [
  {
    word: /\b[Ll]ead(?:Turn|Alone|Course)\b|\bLeadsUntil\b|\bthe lead\b(?! to| back)|leads no more/,
    instead: "leader, leadership, or a leader's term",
  },
  { word: /\b[Dd]uties\b|[a-z]Duties\b/, instead: "tasks" },
  {
    word: /\bobeys?\b|\b\w+(?:User|App|Session|Received|Late|Remembered)Orders?\b/,
    instead: "command",
  },
  { word: /question/i, instead: "request", where: /^realtime\/cluster\/bus\// },
  {
    word: /\b[Rr]estat(?:e|es|ed|ing)\b|[a-z]Restated\b|\bstat(?:e|es|ed) again\b/,
    instead: "resync, register again",
  },
  {
    word: /\b[Bb]eats?\b|\bbeatMs\b|[a-z]Beat(?:At)?\b/,
    instead: "heartbeat",
    // The name of a field that servers send each other.
    exceptions: [
      "realtime/cluster/known_servers.ts",
      "tests/realtime/cluster/known_servers_test.ts",
    ],
  },
  { word: /[cC]utOff\b|[cC]utOff[A-Z]/, instead: "partitioned, partition" },
  { word: /\bHeldUsers?\b|\bonHeld\b|\bwasHeld\b/, instead: "claim, of a user" },
  { word: /\b[Aa]longside\b|\bAlongside[A-Z]/, instead: "inTransaction" },
  {
    word: /\bforeign[A-Z]|Foreign[A-Z]/,
    instead: "external",
    // The socket has another owner; it may well be of Rollcall.
    exceptions: ["http/site_requests.ts", "http/socket_claim.ts", "routes/broadcasting/auth.ts"],
  },
  { word: /\b[Mm]ember(?:s)?Elsewhere\b|\bpagesElsewhere\b/, instead: "remote" },
  { word: /\b(?:Alert|Lead|new)Course\b|\bcourse\b/, instead: "state", where: /^server\// },
  { word: /\bShownDoubt\b|\bdoubtOf\b|\bin doubt\b/, instead: "freshness, uncertain" },
  { word: /\b(?:Live)?[Rr]oster\b/, instead: "member index" },
  { word: /\b[Cc]ensus\b|\bCensus[A-Z]/, instead: "channel stats" },
  { word: /\b(?:Loud|Quiet)?[Aa]udience\b/, instead: "subscribers", where: /\.tsx?$/ },
  { word: /\b(?:Visits[cC]heck|KnownVisits)/, instead: "reconcile activity" },
  {
    word: /\bseatsOf\b|\bisNews\b|#newcomers\b/,
    instead: "minimum connections, changed, pending",
  },
  { word: /\bProfile\b|\bprofileKey\b/, instead: "member options", where: /^realtime\// },
  { word: /\b(?:Person)?Moment\b|\bmomentOf\b|\bcurrentMoment\b/, instead: "snapshot" },
  {
    word: /\b\w*Refusals?\b/,
    instead: "failure for a value, rejection for what a client is told",
    where: /^(?:realtime|server)\//,
  },
  {
    word: /\b[Ll]oud\b|[a-z]Loud|\b[Ll]oud[A-Z]/,
    instead: "full, of members that are not quiet",
    where: /^(?:realtime|server|docs|tools)\/|^CONTRIBUTING/,
    // The names of keys in Redis, which servers of two releases share, and the former names of settings.
    exceptions: [
      "realtime/cluster/state/scripts/bodies.ts",
      "realtime/cluster/state/scripts/rules.ts",
    ],
  },
  { word: /\b[Ss]tand-ins?\b(?!-front)|[a-z]?StandIns?\b|\bstandIns?\b/, instead: "shim, or fake" },
  {
    word: /\b(?:in|end|ends|next)Turn\b|\bturns? of the event loop\b/,
    instead: "tick of the event loop, serialize",
  },
  {
    word: /\b\w*Rig\b|\brigs?\b|\bWorld\b|\bStage\b|\bChapters?\b/,
    instead: "harness, simulation, suite",
    where: /^(?:tests|tools)\//,
  },
  {
    word:
      /\b[Ss]t(?:ands?|anding|ood)[ _-]?[Ss]till|[a-z]StandsStill|\b[Ss]tanding\b|Standing[A-Z]/,
    instead: "stale, of a server's numbers; paused, stopped or suspended of anything else",
    // The former name in the JSON of embeds, and what `/up` of an older release says.
    exceptions: [
      "docs/embed.md",
      "server/check/steps/page.ts",
      "server/embed/embed_answer.ts",
      "tests/server/check/verdicts_test.ts",
      "tests/server/embed/embed_test.ts",
    ],
  },
];

const files = [".", ...foldersIn(".")].flatMap((folder) =>
  [...Deno.readDirSync(folder)]
    .filter(({ name, isFile }) => isFile && /\.(?:tsx?|md|css)$/.test(name))
    .map(({ name }) => folder === "." ? name : `${folder.slice(2)}/${name}`)
).filter((path) => path !== "CHANGELOG.md" && path !== "tests/architecture/words_test.ts");

describe("code and documents have the field's terms", () => {
  const sources = files.map((path) => ({ path, lines: Deno.readTextFileSync(path).split("\n") }));
  for (const { word, instead, where = /^/, exceptions = [] } of oldWords) {
    it(instead, () => {
      const found = sources.filter(({ path }) => where.test(path)).flatMap(({ path, lines }) =>
        lines.flatMap((line, index) =>
          word.test(line) ? [{ path, place: `${path}:${index + 1}: ${line.trim()}` }] : []
        )
      );
      const others = found.filter(({ path }) => !exceptions.includes(path));
      assert.deepEqual(others.map(({ place }) => place), [], `Say ${instead}`);
      const needed = new Set(found.map(({ path }) => path));
      assert.deepEqual(exceptions.filter((path) => !needed.has(path)), [], "needless exceptions");
    });
  }
});

/** The folders of the project that it wrote itself. */
function foldersIn(folder: string): string[] {
  const others = ["node_modules", "_fresh", "data", "dist", "screenshots", "jsr", "static"];
  return [...Deno.readDirSync(folder)]
    .filter(({ name, isDirectory }) =>
      isDirectory && !name.startsWith(".") && !others.includes(name)
    )
    .flatMap(({ name }) => [`${folder}/${name}`, ...foldersIn(`${folder}/${name}`)]);
}
