/** Whether an id has the form of a guest's. Such a guest need not exist. */
export function isGuestId(id: string): boolean {
  return /^guest-[0-9a-f]{32}$/.test(id);
}

/** The name of a guest, such as `Guest 3f2a`. Two guests can have the same one. */
export function guestName(id: string): string {
  return `Guest ${id.slice("guest-".length, "guest-".length + 4)}`;
}
