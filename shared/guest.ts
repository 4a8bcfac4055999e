/** Whether an id is a guest's. It does not prove that the guest exists. */
export function isGuestId(id: string): boolean {
  return /^guest-[0-9a-f]{32}$/.test(id);
}

/** A name for a guest: short, and seldom that of another one. */
export function guestName(id: string): string {
  return `Guest ${id.slice("guest-".length, "guest-".length + 4)}`;
}
