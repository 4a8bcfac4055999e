import type { z } from "zod";
import { apiPath, type ApiScope } from "@/shared/api.ts";
import type { ApiToken } from "./api_tokens.ts";
import {
  activityAnswer,
  activityQuery,
  daysAnswer,
  daysQuery,
  eventsQuery,
  historyAnswer,
  historyQuery,
  markAnswer,
  markBody,
  messageAnswer,
  messageBody,
  onlineAnswer,
  onlineQuery,
  statusAnswer,
  statusBody,
} from "./api_schemas.ts";
import { eventsPath } from "./event_frames.ts";
import { keyText } from "@/shared/long_text.ts";
import {
  answerActivity,
  answerDays,
  answerHistory,
  answerMark,
  type DaysSource,
  type MarksSource,
  type RecordsSource,
} from "./records_answer.ts";
import { answerOnline, answerStatus } from "./online_answer.ts";

/** What calls are answered from. */
export interface ApiSource extends RecordsSource, DaysSource, MarksSource {
  /** Sends a message with a token. @throws {ApiError} when it cannot be delivered */
  sendMessage(
    token: ApiToken,
    message: z.output<typeof messageBody>,
  ): Promise<z.input<typeof messageAnswer>>;
}

/** What a call is found, allowed and checked by. */
export interface ApiRoute {
  method: "GET" | "POST";
  path: string;
  /** The least scope of a token that may call it. */
  scope: ApiScope;
  /** What it is for, as the catalogues have it; the description of the API has it in English. */
  summary: string;
  /** What its parameters are checked with, or its body. */
  input: z.ZodType;
}

/** A call of the API that is answered with JSON. */
export interface ApiCall extends ApiRoute {
  /** What its answer is described by. */
  answer: z.ZodType;
  /** Answers it. @param input as the schema reads it @throws {ApiError} for what it refuses */
  run(source: ApiSource, token: ApiToken, input: unknown): Promise<unknown>;
}

function apiCall<Input extends z.ZodType, Answer extends z.ZodType>(
  call: Omit<ApiCall, "input" | "answer" | "run"> & {
    input: Input;
    answer: Answer;
    run(source: ApiSource, token: ApiToken, input: z.output<Input>): Promise<z.input<Answer>>;
  },
): ApiCall {
  return {
    ...call,
    run: (source, token, input) => call.run(source, token, input as z.output<Input>),
  };
}

/** The call that is answered with a stream of events, of which each scope reads its own. */
export const eventsCall: ApiRoute = {
  method: "GET",
  path: eventsPath,
  scope: "count",
  summary: keyText("Who joins and leaves, as it happens"),
  input: eventsQuery,
};

/** All calls that are answered with JSON. */
export const apiCalls: readonly ApiCall[] = [
  apiCall({
    method: "GET",
    path: `${apiPath}/online`,
    scope: "count",
    summary: keyText("How many are online, and who"),
    input: onlineQuery,
    answer: onlineAnswer,
    run: answerOnline,
  }),
  apiCall({
    method: "POST",
    path: `${apiPath}/people/status`,
    scope: "ids",
    summary: keyText("Whether people are online, by ID"),
    input: statusBody,
    answer: statusAnswer,
    run: answerStatus,
  }),
  apiCall({
    method: "GET",
    path: `${apiPath}/history`,
    scope: "count",
    summary: keyText("How many were online over time"),
    input: historyQuery,
    answer: historyAnswer,
    run: answerHistory,
  }),
  apiCall({
    method: "GET",
    path: `${apiPath}/days`,
    scope: "count",
    summary: keyText("The numbers of each day"),
    input: daysQuery,
    answer: daysAnswer,
    run: answerDays,
  }),
  apiCall({
    method: "GET",
    path: `${apiPath}/activity`,
    scope: "ids",
    summary: keyText("Who joined and left"),
    input: activityQuery,
    answer: activityAnswer,
    run: answerActivity,
  }),
  apiCall({
    method: "POST",
    path: `${apiPath}/messages`,
    scope: "messages",
    summary: keyText("Send a message to Rollcall's own pages of people who are online"),
    input: messageBody,
    answer: messageAnswer,
    run: (source, token, body) => source.sendMessage(token, body),
  }),
  apiCall({
    method: "POST",
    path: `${apiPath}/marks`,
    scope: "marks",
    summary: keyText("Mark a deploy, or what else happened, in the history"),
    input: markBody,
    answer: markAnswer,
    run: answerMark,
  }),
];
