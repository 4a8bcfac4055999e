/** Whether only this server sends events of a name: those of the protocol, and Rollcall's own. */
export function isServersOwnEvent(name: string): boolean {
  return /^(pusher|pusher_internal|rollcall):/.test(name);
}
