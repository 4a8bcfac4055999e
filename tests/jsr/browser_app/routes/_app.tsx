import type { PageProps } from "fresh";

export default function Document({ Component }: PageProps) {
  return (
    <html lang="en">
      <head>
        <title>Counters</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
}
