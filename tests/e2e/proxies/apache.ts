import { join } from "node:path";
import { documentedName, type ProxyKind } from "./proxy.ts";

/** Modules that are on in Debian's package and affect the tests. */
const ownModules = ["alias", "authz_core", "dir", "env", "mpm_event", "reqtimeout", "setenvif"];

/** Apache, with the documented file as its only site. */
export const apache: ProxyKind = {
  name: "Apache",
  file: "apache.conf",
  changes: ({ folder, ports, backend }) => [
    ["<VirtualHost *:80>", `Listen 127.0.0.1:${ports.http}\n<VirtualHost *:${ports.http}>`],
    ["<VirtualHost *:443>", `Listen 127.0.0.1:${ports.https}\n<VirtualHost *:${ports.https}>`],
    [`/etc/letsencrypt/live/${documentedName}/fullchain.pem`, join(folder, "cert.pem")],
    [`/etc/letsencrypt/live/${documentedName}/privkey.pem`, join(folder, "key.pem")],
    ["127.0.0.1:8000", `127.0.0.1:${backend}`],
    [documentedName, "localhost"],
  ],
  async command({ folder }, documented) {
    await Deno.writeTextFile(join(folder, "rollcall.conf"), documented);
    await Deno.writeTextFile(join(folder, "apache2.conf"), mainFile(folder, documented));
    return ["/usr/sbin/apache2", "-DFOREGROUND", "-f", join(folder, "apache2.conf")];
  },
};

/** Debian's settings for threads and slow clients, with log files in the test's folder. */
function mainFile(folder: string, documented: string): string {
  const modules = [...ownModules, ...modulesOf(documented)];
  return `
    ServerRoot ${folder}
    ServerName localhost
    Define APACHE_LOG_DIR ${folder}
    PidFile ${folder}/apache2.pid
    DefaultRuntimeDir ${folder}
    Mutex file:${folder} default
    ErrorLog ${folder}/error.log
    ${modules.map((name) => `LoadModule ${name}_module ${moduleFolder}/mod_${name}.so`).join("\n")}
    StartServers 2
    MinSpareThreads 25
    MaxSpareThreads 75
    ThreadLimit 64
    ThreadsPerChild 25
    MaxRequestWorkers 150
    RequestReadTimeout header=20-40,minrate=500
    RequestReadTimeout body=10,minrate=500
    LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\"" combined
    CustomLog ${folder}/other_vhosts_access.log combined
    Include ${folder}/rollcall.conf
  `;
}

const moduleFolder = "/usr/lib/apache2/modules";

/** The modules that the file tells to turn on, with the ones that `a2enmod` adds. */
function modulesOf(documented: string): string[] {
  const asked = /a2enmod ([a-z0-9_ ]+)/.exec(documented)?.[1].trim().split(" ") ?? [];
  const needed: Record<string, string[]> = { proxy_http: ["proxy"], ssl: ["socache_shmcb"] };
  return asked.flatMap((name) => [...needed[name] ?? [], name]);
}
