const everyone =
  "Each person counts once, however many tabs or devices they use. People drop off " +
  "a moment after closing their last tab, or within 30 seconds if they lose their connection.";

const admins =
  "Admins on these pages are counted until your app has had its first user. From then " +
  "on they only watch, unless they switch on Count me.";

/**
 * How people are counted, and how soon the number follows. Routes pass it to the note, so that no script has
 * the text.
 *
 * @param ofAdmins also when admins are counted.
 */
export function countingText({ ofAdmins }: { ofAdmins: boolean }): string {
  return ofAdmins ? `${everyone} ${admins}` : everyone;
}

/** What the number counts. @param text see {@link countingText} */
export function CountingNote({ text }: { text: string }) {
  return (
    <details class="note">
      <summary>How people are counted</summary>
      <p>{text}</p>
    </details>
  );
}
