/** Reports the path of this tab and its kind of device, to Rollcall's admins only. */
export function reportPage(channel, pathOf = () => location.pathname) {
  const isSmall = Math.min(screen.width, screen.height) < 600;
  const touchDevice = isSmall ? "phone" : "tablet";
  const device = matchMedia("(pointer: coarse)").matches ? touchDevice : "desktop";
  let reported = "";
  const report = () => {
    const path = pathOf();
    if (!channel.subscribed || path === reported) return;
    channel.trigger("client-rollcall-page", { path, device });
    reported = path;
  };
  const reportAgain = () => {
    reported = "";
    report();
  };
  channel.bind("pusher:subscription_succeeded", reportAgain);
  const timer = setInterval(report, 1_000); // Follows single-page apps, whatever their router.
  report();
  return function stop() {
    clearInterval(timer);
    channel.unbind("pusher:subscription_succeeded", reportAgain);
  };
}
