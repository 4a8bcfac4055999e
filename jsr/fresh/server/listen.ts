/** Where to listen and how: the options of `Deno.serve` over TCP, with or without a certificate. */
export type ListenOptions =
  & Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>
  & { onListen?: (address: Deno.NetAddr) => void };

/** Serves until the signal aborts; says where, unless `onListen` does. */
export async function listen(
  handler: (request: Request, info: Deno.ServeHandlerInfo) => Promise<Response>,
  options: ListenOptions,
): Promise<void> {
  const settings = {
    ...options,
    onListen: options.onListen ?? sayWhere(options.cert),
  };
  await Deno.serve(settings, handler).finished;
}

function sayWhere(certificate: string | undefined): (address: Deno.NetAddr) => void {
  const protocol = certificate === undefined ? "http" : "https";
  return ({ hostname, port }) => {
    const host = hostname === "0.0.0.0" || hostname === "::" ? "localhost" : hostname;
    console.log(`Ready at ${protocol}://${host}:${port}/`);
  };
}
