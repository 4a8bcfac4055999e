import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  apartText,
  clientText,
  countText,
  numberText,
  onlineText,
  withGuestsText,
} from "@/shared/text.ts";
import { folded } from "@/shared/folded.ts";

describe("a number", () => {
  for (
    const [number, text] of [
      [0, "0"],
      [999, "999"],
      [1_000, "1,000"],
      [9_999, "9,999"],
      [12_345, "12,345"],
      [1_234_567, "1,234,567"],
      [2.44, "2.4"],
    ] as const
  ) {
    it(`${number} is written as ${text}`, () => assert.equal(numberText(number), text));
  }

  it("is written as Intl writes it in English", () => {
    const { format } = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
    const whole = fc.nat({ max: 10 ** 12 });
    fc.assert(fc.property(whole, (number) => assert.equal(numberText(number), format(number))));
    const hundredths = fc.nat({ max: 10 ** 9 }).map((number) => number / 100);
    fc.assert(
      fc.property(hundredths, (number) => assert.equal(numberText(number), format(number))),
    );
  });

  it("has a noun in the singular only for 1", () => {
    assert.equal(countText(1, "tab"), "1 tab");
    assert.equal(countText(0, "tab"), "0 tabs");
    assert.equal(countText(1_234, "tab"), "1,234 tabs");
    assert.equal(countText(2, "person", "people"), "2 people");
  });
});

describe("who is online", () => {
  const all: [all: number, guests: number | undefined, apart: string, sum: string, text: string][] =
    [
      [0, 0, "", "0", "0 users online"],
      [1, undefined, "", "1", "1 user online"],
      [1_234, 0, "", "1,234", "1,234 users online"],
      [1, 1, "0 users, 1 guest", "1 (0 users, 1 guest)", "1 online (0 users, 1 guest)"],
      [
        235,
        204,
        "31 users, 204 guests",
        "235 (31 users, 204 guests)",
        "235 online (31 users, 204 guests)",
      ],
      // Numbers of different moments.
      [2, 3, "0 users, 3 guests", "2 (0 users, 3 guests)", "2 online (0 users, 3 guests)"],
    ];
  for (const [online, guests, apart, sum, text] of all) {
    it(`with ${guests} guests of ${online} is “${text}”`, () => {
      assert.equal(apartText(online, guests), apart);
      assert.equal(withGuestsText(online, guests), sum);
      assert.equal(onlineText(online, guests), text);
    });
  }
});

const webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)";

const known: Record<string, string> = {
  [`${windows} ${chrome}`]: "Chrome on Windows",
  [`${windows} ${chrome} Edg/140.0.0.0`]: "Edge on Windows",
  [`${windows} ${chrome} OPR/120.0.0.0`]: "Opera on Windows",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0":
    "Firefox on Windows",
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0": "Firefox on Linux",
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`]: "Chrome on ChromeOS",
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome.replace("Chrome", "HeadlessChrome")}`]:
    "Chrome on Linux",
  [`${mac} ${webKit} Version/18.5 Safari/605.1.15`]: "Safari on macOS",
  [`${mac} ${chrome}`]: "Chrome on macOS",
  [`${iPhone} ${webKit} Version/18.5 Mobile/15E148 Safari/604.1`]: "Safari on iPhone",
  [`${iPhone} ${webKit} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`]: "Chrome on iPhone",
  [`${iPhone} ${webKit} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`]: "Firefox on iPhone",
  [`Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${webKit} Version/18.5 Safari/604.1`]:
    "Safari on iPad",
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome}`]: "Chrome on Android",
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${
      chrome.replace("Chrome", "SamsungBrowser/27.0 Chrome")
    }`
  ]: "Samsung Internet on Android",
  "curl/8.5.0": "Unknown browser",
  "Mozilla/5.0 (Windows NT 10.0) Something/1": "Unknown browser on Windows",
  "": "Unknown browser",
};

it("names the browser and the system of what browsers state", () => {
  for (const [userAgent, text] of Object.entries(known)) {
    assert.equal(clientText(userAgent), text, userAgent);
  }
});

it("shows nothing of what a stranger writes there", () => {
  fc.assert(fc.property(fc.string(), (userAgent) => {
    assert.match(clientText(userAgent), /^[A-Za-z ]+$/);
  }));
});

describe("A folded text", () => {
  it("has neither case nor accents", () => {
    assert.equal(folded("Élodie STRASSE, Straße"), "elodie strasse, strasse");
  });

  it("is the same whether it is folded alone or beside letters that are not ASCII", () => {
    fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      assert.equal(folded(text) + folded("É"), folded(`${text}É`));
    }));
  });
});
