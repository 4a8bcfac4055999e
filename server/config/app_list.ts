import type { z } from "zod";
import type { AppConfig } from "@/realtime/app_config.ts";
import { appFields, takeAppFields, toApp } from "./app_fields.ts";
import { toFieldNames } from "./external_app_fields.ts";
import { maxFileBytes, type ReadFile } from "./setting.ts";
import { soketiAppList } from "./compatibility.ts";

/** Maximum number of apps in a list. */
export const maxApps = 1_000;

/** Maximum number of faults that are reported; a last line counts the others. */
const maxFaults = 50;

/** Fields of which nothing is printed; a URL may contain a password, and a header be one. */
const secretFields = new Set<PropertyKey>(["secret", "url", "headers"]);

/** What a list of apps says. */
interface ParsedAppList {
  /** Rules that an app does not state are undefined. */
  apps: AppConfig[];
  /** Fields of other servers' lists that have no meaning here, by their names there. */
  ignored: string[];
}

/**
 * Reads a list of apps from JSON: one of Rollcall, or as it is one of Soketi or Laravel Reverb.
 *
 * @param name the setting that contains the list, for the messages.
 * @param problems receives one line for each fault, with app and field and without secrets.
 */
export function parseAppList(text: string, name: string, problems: string[]): ParsedAppList {
  const faults: string[] = [];
  const ignored = new Set<string>();
  const items = parseJson(text);
  if (typeof items === "string") faults.push(`${items}; expected a JSON list of apps`);
  else if (items.length === 0 || items.length > maxApps) {
    faults.push(`has ${items.length} apps; expected 1 to ${maxApps}`);
  }
  const apps = faults.length > 0 ? [] : readApps(items as unknown[], faults, ignored);
  problems.push(...faults.slice(0, maxFaults).map((fault) => `${name}: ${fault}`));
  if (faults.length > maxFaults) {
    problems.push(`${name}: and ${faults.length - maxFaults} more faults`);
  }
  return { apps, ignored: [...ignored] };
}

/** @returns the items of a JSON list, or a text that says what is wrong. */
function parseJson(text: string): unknown[] | string {
  try {
    const value: unknown = JSON.parse(text);
    return listIn(value) ?? "is not a list";
  } catch (error) {
    // The rest of the parser's message quotes the text, which contains secrets.
    const place = /line (\d+) column (\d+)/.exec(String(error));
    return place ? `is not JSON at line ${place[1]}, column ${place[2]}` : "is not JSON";
  }
}

/** The list itself, or the one in a configuration of Soketi or Reverb. */
function listIn(value: unknown): unknown[] | undefined {
  const { apps, appManager, "appManager.array.apps": dotted } = Object(value);
  return [value, apps, dotted, appManager?.array?.apps].find(Array.isArray);
}

function readApps(items: unknown[], faults: string[], ignored: Set<string>): AppConfig[] {
  const owners = new Map<string, number>();
  return items.flatMap((item, index) => {
    const app = readApp(item, index, faults, ignored);
    if (!app) return [];
    for (const name of ["id", "key"] as const) {
      const owner = owners.get(`${name} ${app[name]}`);
      if (owner === undefined) owners.set(`${name} ${app[name]}`, index);
      else {faults.push(
          `${placeOf(index, [name], app)} is the same as in [${owner}]; expected a unique one`,
        );}
    }
    return [app];
  });
}

function readApp(
  item: unknown,
  index: number,
  faults: string[],
  ignored: Set<string>,
): AppConfig | undefined {
  const isTwice = (path: PropertyKey[]) => {
    faults.push(`${placeOf(index, path, item)} is given twice; expected it once`);
  };
  const takenFields = takeAppFields(toFieldNames(item, isTwice), (name) => isTwice([name]));
  const { fields } = takenFields;
  for (const name of takenFields.ignored) ignored.add(name);
  const parsed = appFields.safeParse(fields);
  if (!parsed.success) {
    faults.push(
      ...linesOf(parsed.error, fields).map(([path, line]) =>
        `${placeOf(index, path, fields)} ${line}`
      ),
    );
  }
  return parsed.success ? toApp(parsed.data) : undefined;
}

/** One line for each invalid field, even if its value has several faults. */
function linesOf(error: z.ZodError, fields: unknown): [path: PropertyKey[], line: string][] {
  const lines = new Map<string, [PropertyKey[], string]>();
  const add = (path: PropertyKey[], line: string) => {
    const key = path.join(".");
    if (!lines.has(key)) lines.set(key, [path, line]);
  };
  for (const issue of error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) add([...issue.path, key], "is not a known field");
    } else add(issue.path, `${faultText(issue.path, fields)}; expected ${issue.message}`);
  }
  return [...lines.values()];
}

function faultText(path: PropertyKey[], fields: unknown): string {
  const value = path.reduce((within, step) => Reflect.get(Object(within), step), fields);
  if (value === undefined) return "is not given";
  const isSecret = path.some((step) => secretFields.has(step));
  return `${valueOf(value, isSecret)} is not allowed`;
}

function valueOf(value: unknown, isSecret: boolean): string {
  if (isSecret) return "(secret, not shown)";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return JSON.stringify(value).slice(0, 100);
}

/** Where a fault is, such as `[1].webhooks[0].url (app shop):`. */
function placeOf(index: number, path: PropertyKey[], app: unknown): string {
  const steps = [index, ...path].map((step) =>
    typeof step === "number" ? `[${step}]` : `.${String(step).slice(0, 100)}`
  );
  const id: unknown = Reflect.get(Object(app), "id");
  const named = typeof id === "string" && /^[\w.~-]{1,64}$/.test(id) ? ` (app ${id})` : "";
  return `${steps.join("")}${named}:`;
}

/** The settings of Soketi's default app, for messages. */
const soketiApp = "SOKETI_DEFAULT_APP_*";

/** A list of apps in a setting. */
export interface AppList extends ParsedAppList {
  /** The setting that contains the list, for messages. */
  name: "APPS" | "APPS_FILE" | typeof soketiApp;
}

/**
 * Reads the list of apps, if one is given, or the default app of Soketi's settings.
 *
 * @param environment where Soketi's settings are.
 * @param problems receives one line for each fault.
 */
export function readAppList(
  { APPS: text, APPS_FILE: path }: { APPS?: string; APPS_FILE?: string },
  environment: Record<string, string | undefined>,
  readFile: ReadFile,
  problems: string[],
): AppList | undefined {
  const texts: [name: AppList["name"], text: string | undefined][] = [
    ["APPS", text],
    ["APPS_FILE", path],
    [soketiApp, soketiAppList(environment)],
  ];
  const [given, second] = texts.filter(([, value]) => value !== undefined);
  if (second) problems.push(`${second[0]}: given, but ${given[0]} is too; expected one of them`);
  if (!given || second) return undefined;
  const [name, value = ""] = given;
  const list = name === "APPS_FILE" ? listFile(value, readFile, problems) : value;
  return list === undefined ? undefined : { name, ...parseAppList(list, name, problems) };
}

/** The text of the file; undefined when it cannot be read, which is one of the problems then. */
function listFile(path: string, readFile: ReadFile, problems: string[]): string | undefined {
  try {
    return readFile(path);
  } catch {
    problems.push(
      `APPS_FILE: ${JSON.stringify(path)} is not allowed; expected a readable file of at most ` +
        `${maxFileBytes} bytes`,
    );
    return undefined;
  }
}
