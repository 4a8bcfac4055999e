import { mutationsOf } from "../mutation.ts";

const folder = "tests/observability";

/** What a running server shows of itself. */
export const observability = mutationsOf({
  "observability/event_loop_lag.ts": `${folder}/event_loop_lag_test.ts`,
  "observability/log_lines.ts": `${folder}/log_lines_test.ts`,
  "observability/request_id.ts": `${folder}/request_id_test.ts`,
}, {
  "observability/event_loop_lag.ts": [
    ["lag.observe(lagMs / 1_000)", "lag.observe(lagMs)", "the lag is a thousand times too large"],
    ["      wait();\n    });", "    });", "the lag is measured once only"],
  ],
  "observability/log_lines.ts": [
    [
      "`(${typeof value}, not shown)`",
      "JSON.stringify(value)",
      "the log shows the cookies of a request",
    ],
    ["escaped(messageOf(record))", "messageOf(record)", "a client forges lines of the log"],
    ["escaped(JSON.stringify(value))", "value", "a value with a space looks like two fields"],
    ["[\\p{Cc}\\p{Zl}\\p{Zp}]", "[\\n]", "a value changes the operator's terminal"],
    ["value.slice(0, maxLength)", "value", "a client fills the log with one line"],
    ["value.slice(0, maxItems).map", "value.map", "a list fills the log"],
    ["message.slice(0, maxLength)", "message", "an error's message fills the log"],
    [
      "    ...Object.fromEntries(fieldsOf(record)),\n    time: timeOf(record),",
      "    time: timeOf(record),\n    ...Object.fromEntries(fieldsOf(record)),",
      "a field replaces the time of a line",
    ],
  ],
  "observability/request_id.ts": [
    ["{7,127}", "{7,}", "an id of any length is in the log"],
    ["wellFormed.test(given) ? given", "given ? given", "a client puts markup into the error page"],
  ],
});
