/**
 * Reloads the page when the development server says that it has something new: it names its version
 * at every connection and whenever that changes. Connects again for ever, as the server restarts often.
 *
 * @module
 */
let known: string | undefined;

function connect(): void {
  const socket = new WebSocket(new URL("/_frsh/alive", location.href.replace(/^http/, "ws")));
  socket.onmessage = ({ data }) => {
    if (known !== undefined && data !== known) location.reload();
    known = data;
  };
  socket.onclose = () => setTimeout(connect, 300);
}

connect();
