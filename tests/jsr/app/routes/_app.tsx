import { define } from "../define.ts";
export default define.page(({ Component, data, state, route }) => (
  <html>
    <head>
      <title>app</title>
    </head>
    <body data-d={String(data)} data-r={String(route)} data-s={String(!!state)}>
      A[<Component />]
    </body>
  </html>
));
