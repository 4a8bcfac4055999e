/** What is said of a link that opens nothing: the same of one that was revoked and one that never was. */
export const unknownText = {
  title: "No wallboard here",
  text: "This link has been revoked, or was never given out. Ask an admin for a new one.",
};

/** What is said of the link of a wallboard that was shown until now. */
export const revokedText = {
  title: "This link has been revoked",
  text: "It shows no number any more. Ask an admin for a new one.",
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
