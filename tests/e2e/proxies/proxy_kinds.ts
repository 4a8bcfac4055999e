import { join } from "node:path";
import { documentedName, type ProxyKind } from "./proxy.ts";

/** nginx, with the documented file included as in Debian's settings. */
export const nginx: ProxyKind = {
  name: "nginx",
  file: "nginx.conf",
  changes: ({ folder, ports, backend }) => [
    ["listen 80;", `listen 127.0.0.1:${ports.http};`],
    ["listen [::]:80;", `listen 127.0.0.1:${ports.spareHttp};`],
    ["listen 443 ", `listen 127.0.0.1:${ports.https} `],
    ["listen [::]:443 ", `listen 127.0.0.1:${ports.spareHttps} `],
    [`/etc/letsencrypt/live/${documentedName}/fullchain.pem`, join(folder, "cert.pem")],
    [`/etc/letsencrypt/live/${documentedName}/privkey.pem`, join(folder, "key.pem")],
    ["/var/log/nginx/rollcall.log", join(folder, "rollcall.log")],
    ["127.0.0.1:8000", `127.0.0.1:${backend}`],
    [documentedName, "localhost"],
  ],
  async command({ folder }, documented) {
    await Deno.writeTextFile(join(folder, "rollcall.conf"), documented);
    await Deno.writeTextFile(join(folder, "nginx.conf"), mainFileOfNginx(folder));
    return ["/usr/sbin/nginx", "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")];
  },
};

/** Debian's settings for worker processes and logs, with files in the test's folder. */
function mainFileOfNginx(folder: string): string {
  const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events { worker_connections 768; }
    http {
      ${bodies.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n")}
      access_log ${folder}/access.log;
      gzip on;
      include ${folder}/rollcall.conf;
    }
  `;
}

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
    await Deno.writeTextFile(join(folder, "apache2.conf"), mainFileOfApache(folder, documented));
    return ["/usr/sbin/apache2", "-DFOREGROUND", "-f", join(folder, "apache2.conf")];
  },
};

/** Debian's settings for threads and slow clients, with log files in the test's folder. */
function mainFileOfApache(folder: string, documented: string): string {
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

/** Caddy, with the documented file as its Caddyfile. */
export const caddy: ProxyKind = {
  name: "Caddy",
  file: "Caddyfile",
  changes: ({ folder, ports, backend }) => [
    [
      "{\n\tlog {\n",
      `{
        admin off
        http_port ${ports.http}
        https_port ${ports.https}
        default_bind 127.0.0.1
        storage file_system ${folder}
        skip_install_trust
        log {
          output file ${join(folder, "caddy.log")}
      `,
    ],
    [
      `\n${documentedName} {\n`,
      `\nlocalhost {\n  tls ${join(folder, "cert.pem")} ${join(folder, "key.pem")}\n`,
    ],
    ["127.0.0.1:8000", `127.0.0.1:${backend}`],
  ],
  async command({ folder }, documented) {
    await Deno.writeTextFile(join(folder, "Caddyfile"), documented);
    return ["/usr/bin/caddy", "run", "--config", join(folder, "Caddyfile")];
  },
};
