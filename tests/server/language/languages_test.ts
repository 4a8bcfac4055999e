import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { textsOfIslands } from "@/deploy/build/language_scripts.ts";
import { textsIn } from "@/deploy/build/source_texts.ts";
import {
  catalogues,
  inLanguage,
  languageNames,
  languages,
  preferredLanguage,
} from "@/server/language/languages.ts";
import { plural, text } from "@/shared/language.ts";
import { longText, richText, wordText } from "@/shared/long_text.ts";
import { countText, numberText } from "@/shared/text.ts";
import { pluralCategories, translation } from "@/shared/translation.ts";
import { timeText } from "@/components/page/time_text.ts";
import { codeFiles } from "../../architecture/imports.ts";
import { rings } from "../../architecture/rings.ts";

const used = new Set(
  codeFiles(rings.filter((ring) => ring !== "realtime")).flatMap((file) =>
    textsIn(Deno.readTextFileSync(file))
  ),
);

const placesIn = (value: string) => (value.match(/\{\d+\}/g) ?? []).toSorted();
const isNoun = (key: string) => key.includes("|");

for (const [tag, catalogue] of Object.entries(catalogues)) {
  describe(`the catalogue of ${tag}`, () => {
    it("has each text of the source, and no other", () => {
      assert.ok(used.size > 200, `${used.size} texts were found`);
      assert.deepEqual(
        [...used].filter((key) => !catalogue[key]),
        [],
        "add these to server/language/",
      );
      assert.deepEqual(
        Object.keys(catalogue).filter((key) => !used.has(key)),
        [],
        "no source has these",
      );
    });

    it("has the places of a text's values in its translation", () => {
      for (const [key, value] of Object.entries(catalogue)) {
        assert.deepEqual(placesIn(value), placesIn(key), key);
      }
    });

    it("has as many forms of a noun as the language can tell apart, the last for all that remain", () => {
      const most = pluralCategories(tag).length;
      for (const [key, value] of Object.entries(catalogue)) {
        const forms = value.split("|").length;
        assert.ok(isNoun(key) ? forms >= 2 && forms <= most : forms === 1, key);
      }
    });
  });
}

describe("the texts of the source", () => {
  it("are found in templates, calls and nouns, with places for their values", () => {
    const source = `import { text } from "@/shared/language.ts";
      text\`Online\`; richText\`\${<b title={text\`In \${"}"}\`}>1</b>} of \${f(\`\${2}\`)}\`;
      longText("One ", "line"); refused("invalid", "No.", "field");
      plural(f(1, 2), "box", "boxes"); countText(3, "tab"); wordText("To", "a time");`;
    assert.deepEqual(textsIn(source), [
      "Online",
      "{0} of {1}",
      "In {0}",
      "One line",
      "No.",
      "box|boxes",
      "tab|tabs",
      "To (a time)",
    ]);
  });

  it("are not looked for in comments, nor in files without texts", () => {
    assert.deepEqual(textsIn('/** text`No` */\nfrom "./language.ts"; text`Yes`'), ["Yes"]);
    assert.deepEqual(textsIn("sql`cast(a as text)`; b text`No`"), []);
  });
});

describe("the scripts of a language", () => {
  it("have the texts of all islands for admins, and for others those of pages that others open", () => {
    const { all, ofPublicPages } = textsOfIslands();
    assert.ok(ofPublicPages.isSubsetOf(all));
    assert.ok(ofPublicPages.has("Reconnecting…"));
    const ofLiveView = "Bar chart: waiting for data.";
    assert.deepEqual([all.has(ofLiveView), ofPublicPages.has(ofLiveView)], [true, false]);
  });
});

describe("a text", () => {
  const german = translation("de", {
    "{0} of {1}": "von {1} sind es {0}",
    "tab|tabs": "Tab|Tabs",
  });

  it("is the source's where the reader's language is English", () => {
    assert.equal(text`${1} of ${2}`, "1 of 2");
    assert.deepEqual(richText`${1} of ${2}`.join(""), "1 of 2");
    assert.equal(longText("a", "b"), "ab");
    assert.equal(plural(2, "tab"), "tabs");
  });

  it("is a word as one says it of the thing that is meant, which is not shown", () => {
    const ofTime = () => wordText("To", "a time");
    assert.equal(ofTime(), "To");
    assert.equal(inLanguage(german, ofTime), "To");
    assert.equal(
      inLanguage(translation("de", { "To": "An", "To (a time)": "Bis" }), ofTime),
      "Bis",
    );
  });

  it("has its values where the translation has their places", () => {
    inLanguage(german, () => {
      assert.equal(text`${1} of ${2}`, "von 2 sind es 1");
      assert.equal(richText`${1} of ${2}`.join(""), "von 2 sind es 1");
    });
  });

  it("is in English again for what a request left behind, as a timer", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let meanwhile = "";
    await inLanguage(german, async () => {
      setTimeout(() => resolve(text`${1} of ${2}`));
      await Promise.resolve();
      meanwhile = text`${1} of ${2}`;
    });
    assert.deepEqual([meanwhile, await promise], ["von 2 sind es 1", "1 of 2"]);
  });

  it("is in English where a catalogue lacks it", () => {
    inLanguage(german, () => {
      assert.equal(text`${"Ada"} joined`, "Ada joined");
      assert.equal(plural(2, "box", "boxes"), "boxes");
    });
  });

  it("has numbers, nouns and times as the language has them", () => {
    const at = Date.UTC(2026, 0, 5, 12, 44, 44);
    const style = { zone: "UTC", clock: "h23" } as const;
    inLanguage(german, () => {
      assert.equal(numberText(12_345.5), "12.345,5");
      assert.equal(countText(1, "tab"), "1 Tab");
      assert.equal(countText(2_000, "tab"), "2.000 Tabs");
      assert.equal(timeText(at, "exact", style), "05.01.2026, 12:44:44 UTC");
    });
    assert.equal(timeText(at, "exact", style), "Jan 5, 2026, 12:44:44 UTC");
  });

  it("has the form of a noun for each kind of number, the last form for all that remain", () => {
    const polish = translation("pl", { "tab|tabs": "karta|karty|kart" });
    const forms = [1, 2, 5, 22].map((count) => polish.plural(count, ["tab", "tabs"]));
    assert.deepEqual(forms, ["karta", "karty", "kart", "karty"]);
    const french = translation("fr", { "tab|tabs": "onglet|onglets" });
    assert.equal(french.plural(0, ["tab", "tabs"]), "onglet");
    assert.equal(french.plural(1_000_000, ["tab", "tabs"]), "onglets");
  });
});

describe("the language of a reader", () => {
  const tagFor = (accepted: string | null) => preferredLanguage(accepted)?.tag ?? "en";

  it("is the one of those there are that the browser likes best", () => {
    assert.equal(tagFor("de-AT,de;q=0.9,en;q=0.8"), "de");
    assert.equal(tagFor("nl, fr;q=0.5, es;q=0.7"), "es");
    assert.equal(tagFor("FR"), "fr");
  });

  it("is English where the browser likes that better, or none is known", () => {
    for (const accepted of [null, "", "*", "nl", "en-GB,de;q=0.9", "de;q=0", ";;q=,", "de;q=x"]) {
      assert.equal(tagFor(accepted), "en", String(accepted));
    }
  });

  it("has no effect on what is answered at the same time", async () => {
    const [german, spanish] = [languages.get("de"), languages.get("es")];
    const later = async () => {
      await Promise.resolve();
      return text`Sign in`;
    };
    const both = [inLanguage(german, later), inLanguage(spanish, later), later()];
    assert.deepEqual(await Promise.all(both), ["Anmelden", "Iniciar sesión", "Sign in"]);
  });

  it("can be chosen by the name that it has in itself", () => {
    assert.deepEqual(Object.entries(languageNames()), [
      ["en", "English"],
      ["de", "Deutsch"],
      ["fr", "Français"],
      ["es", "Español"],
    ]);
  });

  it("is written from the right where its script is", () => {
    assert.equal(translation("he", {}).direction, "rtl");
    assert.equal(translation("fr", {}).direction, "ltr");
  });
});
