import type { z } from "zod";
import type { AppConfig } from "../realtime/app_config.ts";
import { appFields, toApp } from "./app_fields.ts";
import { respelled } from "./field_names.ts";

/** How many apps a list may have. */
export const maxApps = 1_000;

/** How many faults of a list are told. */
const maxFaults = 50;

/** Fields whose value is never shown: an address may hold a password. */
const secretFields = new Set<PropertyKey>(["secret", "url"]);

/**
 * Reads a list of apps from JSON. Rules that an app does not state are undefined.
 *
 * @param name the setting that holds the list, for the faults.
 * @param problems takes one line for each fault, which names the app and the field and shows no secret.
 */
export function parseAppList(text: string, name: string, problems: string[]): AppConfig[] {
  const faults: string[] = [];
  const items = parseJson(text);
  if (typeof items === "string") faults.push(`${items}; expected a JSON list of apps`);
  else if (items.length === 0 || items.length > maxApps) {
    faults.push(`has ${items.length} apps; expected 1 to ${maxApps}`);
  }
  const apps = faults.length > 0 ? [] : readApps(items as unknown[], faults);
  problems.push(...faults.slice(0, maxFaults).map((fault) => `${name}: ${fault}`));
  if (faults.length > maxFaults) {
    problems.push(`${name}: and ${faults.length - maxFaults} more faults`);
  }
  return apps;
}

/** The items of a JSON list, or what is wrong. */
function parseJson(text: string): unknown[] | string {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : "is no list";
  } catch (error) {
    // The rest of the parser's message quotes the text, which holds secrets.
    const place = /line (\d+) column (\d+)/.exec(String(error));
    return place ? `is not JSON at line ${place[1]}, column ${place[2]}` : "is not JSON";
  }
}

function readApps(items: unknown[], faults: string[]): AppConfig[] {
  const owners = new Map<string, number>();
  return items.flatMap((item, index) => {
    const app = readApp(item, index, faults);
    if (!app) return [];
    for (const name of ["id", "key"] as const) {
      const owner = owners.get(`${name} ${app[name]}`);
      if (owner === undefined) owners.set(`${name} ${app[name]}`, index);
      else faults.push(`${placeOf(index, [name], app)} is that of [${owner}]; expected its own`);
    }
    return [app];
  });
}

function readApp(item: unknown, index: number, faults: string[]): AppConfig | undefined {
  const before = faults.length;
  const fields = respelled(item, (path) => {
    faults.push(`${placeOf(index, path, item)} is given twice; expected it once`);
  });
  const parsed = appFields.safeParse(fields);
  if (!parsed.success) {
    faults.push(
      ...linesOf(parsed.error, fields).map(([path, line]) =>
        `${placeOf(index, path, fields)} ${line}`
      ),
    );
  }
  return parsed.success && faults.length === before ? toApp(parsed.data) : undefined;
}

/** One line for each field, though a value may have several faults. */
function linesOf(error: z.ZodError, fields: unknown): [path: PropertyKey[], line: string][] {
  const lines = new Map<string, [PropertyKey[], string]>();
  const tell = (path: PropertyKey[], line: string) => {
    const key = path.join(".");
    if (!lines.has(key)) lines.set(key, [path, line]);
  };
  for (const issue of error.issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) tell([...issue.path, key], "is not known");
    } else tell(issue.path, `${shown(issue.path, fields)}; expected ${issue.message}`);
  }
  return [...lines.values()];
}

function shown(path: PropertyKey[], fields: unknown): string {
  const value = path.reduce((within, step) => Reflect.get(Object(within), step), fields);
  if (value === undefined) return "is not given";
  const field = path.findLast((step) => typeof step === "string") ?? "";
  return `${valueOf(value, secretFields.has(field))} is not allowed`;
}

function valueOf(value: unknown, isSecret: boolean): string {
  if (isSecret) return "(secret, not shown)";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return JSON.stringify(value).slice(0, 100);
}

/** Such as `[1].webhooks[0].url (app "shop"):`. */
function placeOf(index: number, path: PropertyKey[], app: unknown): string {
  const steps = [index, ...path].map((step) =>
    typeof step === "number" ? `[${step}]` : `.${String(step).slice(0, 100)}`
  );
  const id: unknown = Reflect.get(Object(app), "id");
  const named = typeof id === "string" && /^[\w-]{1,64}$/.test(id) ? ` (app ${id})` : "";
  return `${steps.join("")}${named}:`;
}
