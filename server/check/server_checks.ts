import type { Database } from "../database/database.ts";
import { readSetting, writeSetting } from "../database/stored_setting.ts";
import {
  type CheckOptions,
  type Report,
  reportSchema,
  runCheck,
  translatedReport,
} from "./run_check.ts";
import { addressOf, type Target, targetOf } from "./target.ts";
import type { Config } from "../config/config.ts";
import { languages } from "../language/languages.ts";
import type { AppConfig } from "@/realtime/app_config.ts";

/** The name under which the last report is stored. */
const settingName = "check_report";

/**
 * The checks that a running server makes of its own public address, one at a time. Reports are in the database, so
 * that every server of the installation shows the last one.
 */
export class ServerChecks {
  readonly #target: () => Target;
  readonly #database: Database;
  readonly #options: CheckOptions;
  #running: Promise<Report> | undefined;

  /** @param target read at the start of each check, because the app's secret may change. */
  constructor(
    target: () => Target,
    database: Database,
    options: CheckOptions = {},
  ) {
    this.#target = target;
    this.#database = database;
    this.#options = options;
  }

  /** The public address that is checked. */
  get address(): string {
    return addressOf(this.#target());
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The last report of this address of any server, in the reader's language; null before the first. */
  async latest(): Promise<Report | null> {
    const report = await readSetting(this.#database.queries, settingName, reportSchema);
    return report?.address === this.address ? translatedReport(report) : null;
  }

  /** Runs a check. Calls during a running check share it and its report. */
  run(): Promise<Report> {
    return this.#running ??= this.#run().finally(() => this.#running = undefined);
  }

  async #run(): Promise<Report> {
    const options = { languages: [...languages.values()], ...this.#options };
    const report = await runCheck(this.#target(), options);
    await writeSetting(this.#database.queries, settingName, report);
    return report;
  }
}

/** The checks of an installation. @param installation its settings, of which a reload replaces the app */
export function openChecks(
  installation: { config: Config; pusherApp: AppConfig; appSecret: string; database: Database },
): ServerChecks {
  const { appSecret, config, database } = installation;
  return new ServerChecks(() => targetOf(config, installation.pusherApp, appSecret), database);
}
