/** What the number means, and how late it can be at worst. */
export function CountingNote() {
  return (
    <p class="note">
      Everyone counts once, with however many tabs and devices. Whoever closes the last page leaves
      the count a moment later; a device that falls silent, within half a minute.
    </p>
  );
}
