import type { Transport } from "./transport";

/** The HTTP transport, loaded with the first request: a plan that sends none does not pay for it. */
export function lazyTransport(environment: Readonly<NodeJS.ProcessEnv> = process.env): Transport {
  let loaded: Promise<Transport> | undefined;
  return {
    async send(request) {
      loaded ??= import("./node-transport.js").then(({ createNodeTransport }) =>
        createNodeTransport(environment),
      );
      return (await loaded).send(request);
    },
    async close() {
      const transport = loaded;
      loaded = undefined;
      await (await transport)?.close();
    },
  };
}
