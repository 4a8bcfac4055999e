import process from "node:process";
import express from "express";
import Pusher from "pusher";
import { userOf } from "./users.js";

const { ROLLCALL_HOST: host, ROLLCALL_PORT: port, ROLLCALL_APP_KEY: key } = process.env;

const pusher = new Pusher({
  appId: process.env.ROLLCALL_APP_ID,
  key,
  secret: process.env.ROLLCALL_APP_SECRET,
  host,
  port,
  useTLS: false,
});

const app = express();
app.use(express.static("public"));
app.use("/pusher-js", express.static("node_modules/pusher-js/dist/web"));

/** What the page needs to connect. The secret stays here. */
app.get("/rollcall.json", (_request, response) => {
  response.json({ key, host, port: Number(port) });
});

/** Who may join, and who it is. pusher-js asks before it joins. */
app.post("/pusher/auth", express.urlencoded({ extended: false }), (request, response) => {
  const user = userOf(request);
  const { socket_id: socketId, channel_name: channel } = request.body ?? {};
  if (!user || channel !== "presence-chart") {
    return response.status(403).json({ message: "Not allowed" });
  }
  response.json(pusher.authorizeChannel(socketId, channel, {
    user_id: user.id,
    user_info: { id: user.id }, // For everyone in the channel.
    rollcall: { name: user.name, detail: user.email }, // For admins only.
  }));
});

const { PORT = 3000 } = process.env;
app.listen(PORT, () => console.log(`Open http://localhost:${PORT}`));
