import { App, csp, staticFiles } from "fresh";

export const app = new App()
  .use(staticFiles())
  .use(csp({ useNonce: true }))
  .fsRoutes();
