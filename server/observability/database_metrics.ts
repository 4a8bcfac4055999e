import type { Registry } from "prom-client";
import type { Outages } from "../database/outages.ts";
import { readCounter, readGauge } from "./readings.ts";

/** Adds whether the database works. */
export function addDatabaseMetrics(registry: Registry, outages: Outages): void {
  readGauge(registry, {
    name: "rollcall_database_up",
    help: "1 while the database can be read and written, else 0",
  }, () => outages.current ? 0 : 1);
  readCounter(registry, {
    name: "rollcall_database_outages_total",
    help: "Times that the database became unavailable",
  }, () => outages.count);
}
