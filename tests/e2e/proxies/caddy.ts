import { join } from "node:path";
import { documentedName, type ProxyKind } from "./proxy.ts";

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
