/**
 * Reloads the page when the development server says that it has something new: it names its version
 * at every connection and whenever that changes. Connects again for ever, as the server restarts often.
 *
 * @module
 */
let known: string | undefined;

function connect(): void {
  // This script is three folders below the app's base path.
  const address = new URL("../../../_frsh/alive", import.meta.url);
  const socket = new WebSocket(address.href.replace(/^http/, "ws"));
  socket.onmessage = ({ data }) => {
    if (known !== undefined && data !== known) location.reload();
    known = data;
  };
  socket.onclose = () => setTimeout(connect, 300);
}

connect();
