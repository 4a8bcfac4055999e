import { type ImportGraph, isOfTests, type ModuleName } from "./import_graph.ts";
import { postgresFolders, type Program } from "./programs.ts";

/** What a test may need beyond its own process, and how that shows in the code that it reaches. */
export interface Need {
  name: string;
  /** Modules by path, and packages by specifier, that bring it. */
  modules?: string[];
  /**
   * Code that brings it, where it stands in a module below `tests/` or `tools/`. The app's own modules
   * do not count: a test of one function does not open the sockets of another.
   */
  code?: string[];
  /** Whether the runner builds `_fresh/` first. */
  built?: boolean;
  /** The program that the runner installs first. */
  program?: Program;
}

/**
 * All needs. A test that reaches none of them is a unit test, and runs with hardly a permission: where
 * this table lacks something, Deno refuses it.
 */
export const needs: Need[] = [
  {
    name: "sockets",
    code: [
      "Deno.serve(",
      "Deno.listen(",
      "Deno.connect(",
      "new WebSocket(",
      "createServer(",
      "new Coordinator(",
      "new SMTPServer(",
    ],
  },
  {
    name: "processes",
    code: ["new Deno.Command(", '"deploy/packaging/application.ts"'],
    modules: ["deploy/packaging/application.ts"],
  },
  { name: "bundles of scripts", modules: ["fresh/dev"] },
  { name: "a database", modules: ["node:sqlite", "tests/fixtures/postgres.ts"] },
  {
    name: "the built app",
    modules: ["_fresh/server.js", "tests/fixtures/program.ts"],
    code: ['"task", "package"', '"task", "build:npm"'],
    built: true,
  },
  {
    name: "a browser",
    code: ["/usr/bin/chromium-headless-shell"],
    program: {
      paths: ["/usr/bin/chromium-headless-shell"],
      debianPackage: "chromium-headless-shell",
    },
  },
  {
    name: "Firefox",
    code: ["/usr/bin/firefox-esr"],
    program: { paths: ["/usr/bin/firefox-esr"], debianPackage: "firefox-esr" },
  },
  {
    name: "WebKitGTK",
    code: ["/usr/bin/WebKitWebDriver"],
    program: { paths: ["/usr/bin/WebKitWebDriver"], debianPackage: "webkit2gtk-driver" },
  },
  {
    name: "a screen without a monitor",
    code: ["/usr/bin/Xvfb"],
    program: { paths: ["/usr/bin/Xvfb"], debianPackage: "xvfb" },
  },
  {
    name: "a PostgreSQL server",
    modules: ["tests/fixtures/postgres.ts"],
    program: {
      paths: postgresFolders().map((folder) => `${folder}/bin/initdb`),
      debianPackage: "postgresql",
    },
  },
  {
    name: "a Redis server",
    modules: ["tests/fixtures/redis.ts"],
    program: {
      paths: ["/usr/bin/redis-server", "/usr/bin/valkey-server"],
      debianPackage: "redis-server",
      service: "redis-server.service",
    },
  },
  {
    name: "nginx",
    code: ["/usr/sbin/nginx"],
    program: { paths: ["/usr/sbin/nginx"], debianPackage: "nginx", service: "nginx.service" },
  },
  {
    name: "Apache",
    code: ["/usr/sbin/apache2"],
    program: { paths: ["/usr/sbin/apache2"], debianPackage: "apache2-bin" },
  },
  {
    name: "Caddy",
    code: ["/usr/bin/caddy"],
    program: { paths: ["/usr/bin/caddy"], debianPackage: "caddy", service: "caddy.service" },
  },
  {
    name: "openssl",
    code: ['Deno.Command("openssl"'],
    program: { paths: ["/usr/bin/openssl"], debianPackage: "openssl" },
  },
  {
    name: "ShellCheck",
    code: ["/usr/bin/shellcheck"],
    program: { paths: ["/usr/bin/shellcheck"], debianPackage: "shellcheck" },
  },
  {
    name: "systemd-analyze",
    code: ['Deno.Command("systemd-analyze"'],
    program: { paths: ["/usr/bin/systemd-analyze"], debianPackage: "systemd" },
  },
  {
    name: "kill, which systemd-analyze looks for",
    code: ['Deno.Command("systemd-analyze"'],
    program: { paths: ["/bin/kill"], debianPackage: "procps" },
  },
  {
    name: "libfaketime",
    code: ["/faketime/libfaketimeMT.so.1"],
    program: {
      paths: ["x86_64", "aarch64"].map((machine) =>
        `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`
      ),
      debianPackage: "libfaketime",
    },
  },
  {
    name: "PHP",
    code: ['Deno.Command("php"'],
    program: { paths: ["/usr/bin/php"], debianPackage: "php-cli" },
  },
  {
    name: "PHPUnit",
    code: ["/usr/bin/phpunit"],
    program: { paths: ["/usr/bin/phpunit"], debianPackage: "phpunit" },
  },
  {
    name: "Laravel",
    code: ["/usr/share/php/Illuminate/"],
    program: {
      paths: ["/usr/share/php/Illuminate/Foundation/Application.php"],
      debianPackage: "php-laravel-framework",
    },
  },
  {
    name: "Guzzle, with which Laravel sends requests",
    code: ["/usr/share/php/GuzzleHttp/"],
    program: {
      paths: ["/usr/share/php/GuzzleHttp/Client.php"],
      debianPackage: "php-guzzlehttp-guzzle",
    },
  },
  {
    name: "Ruby",
    code: ['Deno.Command("/usr/bin/ruby"'],
    program: { paths: ["/usr/bin/ruby"], debianPackage: "ruby" },
  },
  {
    name: "Go",
    code: ['Deno.Command("/usr/bin/go"'],
    program: { paths: ["/usr/bin/go"], debianPackage: "golang-go" },
  },
  {
    name: "Sprig, whose functions Helm's templates call",
    code: ['Deno.Command("/usr/bin/go"'],
    program: {
      paths: ["/usr/share/gocode/src/github.com/Masterminds/sprig"],
      debianPackage: "golang-github-masterminds-sprig-dev",
    },
  },
  {
    name: "YAML for Go",
    code: ['Deno.Command("/usr/bin/go"'],
    program: {
      paths: ["/usr/share/gocode/src/sigs.k8s.io/yaml"],
      debianPackage: "golang-k8s-sigs-yaml-dev",
    },
  },
  {
    name: "Python",
    code: ['Deno.Command("/usr/bin/python3"'],
    program: { paths: ["/usr/bin/python3"], debianPackage: "python3" },
  },
  {
    name: "curl, which the blocks of the documents call",
    code: ['Deno.Command("bash"', "/usr/bin/curl"],
    program: { paths: ["/usr/bin/curl"], debianPackage: "curl" },
  },
  {
    name: "a terminal",
    code: ['Deno.Command("script"'],
    program: { paths: ["/usr/bin/script"], debianPackage: "bsdutils" },
  },
];

/** The needs of one test file: the needs of every module that it reaches. */
export function needsOf(test: string, graph: ImportGraph): Need[] {
  const reached = graph.reachedFrom(test);
  const ofTests = [...reached].filter(isOfTests).map((name) => graph.source(name));
  return needs.filter(({ modules = [], code = [] }) =>
    modules.some((module) => reached.has(module)) ||
    code.some((part) => ofTests.some((source) => source.includes(part)))
  );
}

/** Code whose result depends on the date, the zone or the language; numbers are written in a language too. */
const dependent = /\bnew Date\((?!0\))|\bIntl\.|\.toLocale|\bDate\.parse\(/;

/**
 * Whether what a test runs depends on the date, on the zone or on the language of the machine. Tools do not
 * count: a unit test runs none of them on the program.
 */
export function dependsOnTime(test: ModuleName, graph: ImportGraph): boolean {
  return [...graph.reachedFrom(test)].some((name) =>
    !name.startsWith("tools/") && dependent.test(graph.source(name))
  );
}
