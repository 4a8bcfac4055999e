/** Stands for the packages that decode encrypted channels, which Rollcall's pages have none of. */
export function decode() {
  throw new Error("Encrypted channels are left out of this build of pusher-js");
}
