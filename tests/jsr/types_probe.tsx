// Facts about the types of Fresh 2.3.3: the real package and the shim both pass `deno check` here.
import {
  App,
  type Context,
  createDefine,
  csp,
  type Define,
  type FreshConfig,
  type HandlerFn,
  HttpError,
  type Method,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type ResolvedFreshConfig,
  type RouteData,
  type RouteHandler,
  staticFiles,
} from "fresh";
import { asset } from "fresh/runtime";
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
new HttpError(404);
new HttpError(503, "m", { cause: 1 });
// @ts-expect-error 200 is not an ErrorStatus
new HttpError(200);
const app = new App<S>(
  { basePath: "/x", mode: "production" } satisfies FreshConfig,
);
t<Eq<typeof app.config, ResolvedFreshConfig>>();
app.use(staticFiles()).use("/p", csp({ useNonce: true })).get(
  "/g/:id",
  (ctx) => ctx.text(ctx.params.id),
);
app.fsRoutes();
const handler = app.handler();
t<Eq<typeof handler, (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>>>();
const mw: Middleware<S> = async (ctx) => {
  const a: Response = ctx.redirect("/x", 303);
  const b: Promise<Response> = ctx.render(<p />, { status: 201 });
  await b;
  void a;
  ctx.render(null);
  // @ts-expect-error text is no element
  ctx.render("text");
  ctx.text("x", { status: 1 });
  ctx.info.remoteAddr;
  ctx.route;
  ctx.config.basePath;
  ctx.req.headers;
  ctx.data;
  // @ts-expect-error state is readonly
  ctx.state = {};
  return await ctx.next();
};
void mw;
t<Eq<ReturnType<typeof page<{ a: 1 }>>, PageResponse<{ a: 1 }>>>();
const s1: string = asset("/x");
void s1;
const bld = new Builder({
  root: ".",
  outDir: "_fresh",
  target: "es2022",
});
const ap: (app: App<S>) => void = await bld.build({ mode: "production", snapshot: "memory" });
void ap;
const bl: Promise<void> = bld.listen(() => import("./app/app.ts"), { port: 1 });
void bl;
export type _Used = [
  HandlerFn<1, S>,
  Method,
  PageProps<1, S>,
  RouteData<typeof h2>,
  RouteHandler<1, S>,
];
