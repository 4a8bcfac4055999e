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
    await Deno.writeTextFile(join(folder, "nginx.conf"), mainFile(folder));
    return ["/usr/sbin/nginx", "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")];
  },
};

/** Debian's settings for worker processes and logs, with files in the test's folder. */
function mainFile(folder: string): string {
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
