import type { Attack } from "./attack.ts";
import * as http from "./attacks/http.ts";
import * as sites from "./attacks/sites.ts";
import * as sockets from "./attacks/sockets.ts";

/** What the machine can do at this time: the figures of attacks are to be read beside these. */
const noAttack: Attack = { name: "no attack", run: () => Promise.resolve() };

/** Every attack. To add one, export it from a file in `attacks/`. */
export const attacks: readonly Attack[] = [
  noAttack,
  ...Object.values(http),
  ...Object.values(sockets),
  ...Object.values(sites),
];
