/**
 * The languages of Rollcall beside English, and which one a request is answered in. A catalogue has all texts of
 * the source or none: what is offered in a language is never half in English.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Language } from "@/shared/language.ts";
import { type Catalogue, translation } from "@/shared/translation.ts";
import german from "./de.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import french from "./fr.json" with { type: "json" };

/** The catalogues, by the tag of their language. */
export const catalogues: Readonly<Record<string, Catalogue>> = {
  de: german,
  fr: french,
  es: spanish,
};

/** The languages beside English, by tag. */
export const languages: Map<string, Language> = new Map(
  Object.entries(catalogues).map(([tag, catalogue]) => [tag, translation(tag, catalogue)]),
);

/** Whether a language can be chosen. */
export function isOffered(tag: string): boolean {
  return tag === "en" || languages.has(tag);
}

/** The languages that can be chosen, by tag: each by the name that it has in itself. */
export function languageNames(): Record<string, string> {
  return Object.fromEntries(["en", ...languages.keys()].map((tag) => {
    const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag;
    return [tag, name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)];
  }));
}

/** The language of what is being answered: others are answered in between. It ends with the answer. */
const answering = new AsyncLocalStorage<{ language: Language | undefined }>();

Object.defineProperty(globalThis, "language", {
  get: () => answering.getStore()?.language,
  configurable: true,
});

/**
 * Has all texts of an action be in a language; `undefined` is English. What the action leaves behind, such as a timer,
 * is in English again once the action is over, and its promise settled.
 */
export function inLanguage<Result>(language: Language | undefined, action: () => Result): Result {
  const answer = { language };
  const end = () => {
    answer.language = undefined;
  };
  const result = answering.run(answer, action);
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}

/** Writes something to a user in the language that the user has chosen; without a choice, or an account, in English. */
export function inLanguageOf<Result>(
  user: { language: string | null } | undefined,
  action: () => Result,
): Result {
  return inLanguage(languages.get(user?.language ?? "en"), action);
}

/** How many languages of a request are looked at: no browser sends more. */
const mostPreferences = 20;

/**
 * The language that a reader likes best of those there are; `undefined` is English.
 *
 * @param accepted the header `Accept-Language`.
 */
export function preferredLanguage(accepted: string | null): Language | undefined {
  const preferences = (accepted ?? "").split(",", mostPreferences).map((entry) => {
    const [tag, ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
    return { tag, weight: Number(weight) };
  });
  const known = preferences.filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag.split("-")[0])
    .find((tag) => tag === "en" || languages.has(tag));
  return languages.get(known ?? "en");
}
