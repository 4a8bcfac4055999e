/** What is said of a link that opens nothing: of one that was revoked and one that never was the same. */
export const revokedWords = {
  title: "No wallboard here",
  text: "This link has been revoked, or was never given out. Ask an admin for a new one.",
};

/** What stands on the wall instead of a number. */
export function WallboardMessage({ title, text }: { title: string; text: string }) {
  return (
    <main class="wallboard wallboard-message">
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  );
}
