// Facts about the types of Fresh 2.3.3: the real package and the stand-in both pass `deno check` here.
import {
  App,
  type Context,
  createDefine,
  csp,
  csrf,
  type Define,
  type FreshConfig,
  type FreshContext,
  type HandlerFn,
  HttpError,
  type LayoutConfig,
  type Method,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type ResolvedFreshConfig,
  type RouteConfig,
  type RouteData,
  type RouteHandler,
  staticFiles,
  type WebSocketHandlers,
  type WebSocketUpgradeOptions,
} from "fresh";
import { asset, assetSrcSet, Head, HttpError as RtHttpError, IS_BROWSER } from "fresh/runtime";
import { Builder } from "fresh/dev";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
const t = <T extends true>() => {};
interface S {
  user?: string;
}
const define: Define<S> = createDefine<S>();

const h1 = define.handlers({
  GET(ctx) {
    ctx.state.user = "x";
    return page({ n: 1 });
  },
  async POST(_ctx) {
    await 0;
    return page({ n: 2 });
  },
});
define.page<typeof h1>(({ data }) => {
  t<Eq<typeof data, { n: number }>>();
  return <p>{data.n}</p>;
});
const h2 = define.handlers(() => page({ s: "a" }));
define.page<typeof h2>(({ data }) => {
  t<Eq<typeof data.s, string>>();
  return <p>{data.s}</p>;
});
const h3 = define.handlers({
  GET(ctx) {
    if (ctx.url.pathname === "/") return new Response("x");
    return page({ a: 1 });
  },
});
define.page<typeof h3>(({ data }) => {
  t<Eq<typeof data.a, number>>();
  return null;
});
define.page((p) => {
  t<Eq<typeof p.params, Record<string, string>>>();
  t<Eq<typeof p.state, S>>();
  t<Eq<typeof p.route, string | null>>();
  return <p.Component />;
});
define.page(async (ctx) => {
  await 0;
  t<Eq<typeof ctx.url, URL>>();
  return <p>x</p>;
});
// async pages may return a Response (also at type level)
define.page(async () => {
  await 0;
  return new Response("x");
});
define.middleware((ctx) => {
  t<Eq<typeof ctx, Context<S>>>();
  return ctx.next();
});
define.middleware([(ctx) => ctx.next(), async (ctx) => await ctx.next()]);
define.layout(({ Component, data }) => {
  t<Eq<typeof data, unknown>>();
  return <Component />;
});
new HttpError(404);
new HttpError(503, "m", { cause: 1 });
// @ts-expect-error 200 is not an ErrorStatus
new HttpError(200);
t<Eq<typeof RtHttpError, typeof HttpError>>();
const app = new App<S>(
  { basePath: "/x", mode: "production", trustProxy: true } satisfies FreshConfig,
);
t<Eq<typeof app.config, ResolvedFreshConfig>>();
app.use(staticFiles()).use(
  "/p",
  csp({ useNonce: true }),
  csrf({ origin: (o, c) => o === c.url.origin }),
).get("/g/:id", (ctx) => ctx.text(ctx.params.id)).ws("/ws", {
  open(s) {
    s.send("x");
  },
  message(_s, e) {
    e.data;
  },
  close(_s, code, reason) {
    t<Eq<typeof code, number>>();
    t<Eq<typeof reason, string>>();
  },
  error() {},
}, { idleTimeout: 1, protocol: "a" });
app.notFound((c) => c.text("x"));
app.onError("*", (c) => c.json({ e: String(c.error) }));
app.appWrapper(() => <p />);
app.layout("/x", () => <p />, { skipAppWrapper: true });
app.route("/r", { component: () => <p />, handler: { GET: () => page() } });
app.fsRoutes();
app.fsRoutes("/sub");
const handler = app.handler();
t<Eq<typeof handler, (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>>>();
const l: Promise<void> = app.listen({
  port: 0,
  hostname: "x",
  signal: AbortSignal.abort(),
  onListen() {},
});
void l;
const mw: Middleware<S> = async (ctx) => {
  const a: Response = ctx.redirect("/x", 303);
  const b: Promise<Response> = ctx.render(<p />, { status: 201 }, {
    skipAppWrapper: true,
    skipInheritedLayouts: true,
  });
  await b;
  void a;
  ctx.text("x", { status: 1 });
  ctx.html("<p>");
  ctx.json({});
  ctx.isPartial;
  ctx.info.remoteAddr;
  ctx.error;
  ctx.route;
  ctx.config.basePath;
  ctx.req.headers;
  ctx.data;
  const u = ctx.upgrade();
  t<Eq<typeof u, { socket: WebSocket; response: Response }>>();
  const v = ctx.upgrade({ message() {} });
  t<Eq<typeof v, Response>>();
  const o = ctx.upgrade({ idleTimeout: 3 });
  t<Eq<typeof o, { socket: WebSocket; response: Response }>>();
  // @ts-expect-error state is readonly
  ctx.state = {};
  return await ctx.next();
};
void mw;
t<Eq<ReturnType<typeof page<{ a: 1 }>>, PageResponse<{ a: 1 }>>>();
const rc: RouteConfig = {
  skipAppWrapper: true,
  skipInheritedLayouts: true,
  methods: "ALL",
  csp: true,
};
void rc;
const s1: string = asset("/x");
const s2: string = assetSrcSet("/x 1x");
const b1: boolean = IS_BROWSER;
void [s1, s2, b1];
<Head>
  <title>x</title>
</Head>;
const bld = new Builder({
  root: ".",
  outDir: "_fresh",
  staticDir: ["a"],
  islandDir: "i",
  routeDir: "r",
  serverEntry: "m.ts",
  target: "es2022",
  ignore: [/x/],
});
bld.registerIsland("x");
const ap: (app: App<S>) => void = await bld.build({ mode: "production", snapshot: "memory" });
void ap;
const bl: Promise<void> = bld.listen(() => import("./app/app.ts"), { port: 1 });
void bl;
export type _Used = [
  FreshContext,
  HandlerFn<1, S>,
  LayoutConfig,
  Method,
  PageProps<1, S>,
  RouteData<typeof h2>,
  RouteHandler<1, S>,
  WebSocketHandlers,
  WebSocketUpgradeOptions,
];
