/** Reports to Rollcall's admins whether this tab is used: idle after so long without input. */
export function reportActivity(channel, idleAfterMs = 5 * 60_000) {
  let usedAt = Date.now();
  let isFrozen = false;
  let pointer = "";
  let reported = "";
  const report = () => {
    usedAt = Math.min(usedAt, Date.now()); // The clock can be set back.
    const idleMs = Date.now() - usedAt;
    const state = isFrozen || idleMs >= idleAfterMs ? "idle" : "active";
    if (!channel.subscribed || state === reported) return;
    send("client-rollcall-activity", { state, seconds: Math.floor(idleMs / 1_000) });
    reported = state;
  };
  const send = (event, data) => {
    if (!isFrozen) return channel.trigger(event, data);
    // pusher-js sends by a timer, and no timer runs in a frozen tab.
    const { transport } = channel.pusher.connection.connection ?? {};
    transport?.socket?.send(JSON.stringify({ event, channel: channel.name, data }));
  };
  const use = ({ type, target, screenX, screenY }) => {
    const before = pointer;
    if (type === "pointermove") pointer = `${screenX} ${screenY}`;
    const isStill = type === "pointermove" && pointer === before; // The page moved below it.
    const isDecoration = type === "timeupdate" && target.muted;
    if (document.hidden || isStill || isDecoration) return;
    usedAt = Date.now();
    isFrozen = false;
    report();
  };
  const freeze = () => {
    isFrozen = true;
    report();
  };
  const reportAgain = () => {
    reported = "";
    report();
  };
  const stopping = new AbortController();
  const options = { capture: true, passive: true, signal: stopping.signal };
  const input = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "timeupdate"];
  for (const type of [...input, "visibilitychange", "pageshow"]) {
    addEventListener(type, use, options);
  }
  addEventListener("freeze", freeze, options);
  channel.bind("pusher:subscription_succeeded", reportAgain);
  const timer = setInterval(report, 1_000);
  report();
  return function stop() {
    clearInterval(timer);
    stopping.abort();
    channel.unbind("pusher:subscription_succeeded", reportAgain);
  };
}
