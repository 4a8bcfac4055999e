const text = document.querySelector("#online");

for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => {
    document.cookie = `user=${button.value}`;
    location.reload();
  });
}

if (document.cookie.includes("user=")) {
  const { key, host, port } = await (await fetch("/rollcall.json")).json();
  const pusher = new Pusher(key, {
    cluster: "self", // Not used, but pusher-js wants one.
    wsHost: host,
    wsPort: port,
    forceTLS: false,
    enabledTransports: ["ws", "wss"],
    channelAuthorization: { endpoint: "/pusher/auth", transport: "ajax" },
  });
  const channel = pusher.subscribe("presence-chart");
  const show = () => text.textContent = `${channel.members.count} online`;
  channel.bind("pusher:subscription_succeeded", show);
  channel.bind("pusher:member_added", show);
  channel.bind("pusher:member_removed", show);
  channel.bind("pusher:subscription_error", ({ error }) => text.textContent = error);
}
