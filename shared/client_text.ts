/**
 * Browsers by what their description contains. Most name others too, to be taken for them, so the order
 * counts. The app of a device's maker comes before Chrome, which it contains.
 */
const browsers: readonly [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\b(OPR|OPT|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/\S+ .*Safari\//],
];

/** Systems; Android names Linux, iPhones name Mac OS X. */
const systems: readonly [name: string, pattern: RegExp][] = [
  ["iPhone", /\b(iPhone|iPod)\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac(intosh| OS X)\b/],
  ["Linux", /\bLinux\b/],
];

/** The browser and the system of a `User-Agent`, such as `Firefox on Windows`. */
export function clientText(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `Unknown browser on ${system}` : "Unknown browser");
}

function nameIn(known: readonly [string, RegExp][], userAgent: string): string | undefined {
  return known.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
