import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { hostOf } from "../connection.ts";
import type { Step } from "../step.ts";
import { within } from "../timeout.ts";
import { codeOf } from "../printable.ts";
import { failed, ok, type Verdict } from "../verdict.ts";
import type { Reach } from "./reach.ts";

/** The name of the address leads to machines. */
export function nameStep({ names, title, setting, urlOf }: Reach): Step {
  return {
    name: names.name,
    title: title("Name look-up"),
    needs: [],
    async run({ target, patienceMs }) {
      const host = hostOf(urlOf(target));
      try {
        const found = await within(patienceMs, () => lookup(host, { all: true }));
        return nameVerdict(host, found.map(({ address }) => address), setting);
      } catch (error) {
        return nameVerdict(host, codeOf(error), setting);
      }
    },
  };
}

/**
 * Judges what a name was found to be.
 *
 * @param found the addresses, or the code of what went wrong.
 * @param setting the one that has the name in it.
 */
export function nameVerdict(host: string, found: string[] | string, setting: string): Verdict {
  if (typeof found === "string" || found.length === 0) return unknownName(host, found, setting);
  if (isIP(host) !== 0) return ok(`${host} is an address; there is no name to look up.`);
  const local = found.every((address) => /^(127\.|::1$)/.test(address));
  return ok(
    `${host} is ${found.join(" and ")}${local ? ": this machine, and no other reaches it" : ""}.`,
  );
}

function unknownName(host: string, found: string[] | string, setting: string): Verdict {
  const isUnknown = ["ENOTFOUND", "ENODATA"].includes(String(found)) || found.length === 0;
  if (!isUnknown) {
    return failed(
      `No name server says what ${host} is (${found}).`,
      "See whether this machine reaches its name server (/etc/resolv.conf).",
    );
  }
  return failed(
    `There is no address for the name ${host}.`,
    `Add an A or AAAA record for ${host} where its domain is kept, or correct ${setting}. ` +
      "A new record may take minutes to be seen.",
  );
}
