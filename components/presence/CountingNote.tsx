/** What the number counts, and how soon it follows. */
export function CountingNote() {
  return (
    <details class="note">
      <summary>How people are counted</summary>
      <p>
        Each person counts once, however many tabs or devices they use. People drop off a moment
        after closing their last tab, or within 30 seconds if they lose their connection.
      </p>
    </details>
  );
}
