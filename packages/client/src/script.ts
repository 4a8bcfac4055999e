import { rollcall } from "./rollcall.ts";

// For pages without a bundler: a script tag, after which there is a function `rollcall`.
Object.assign(globalThis, { rollcall });
