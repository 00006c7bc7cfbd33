import type { Transport } from "./transport";

/**
 * Creates a transport that is loaded with the first request, so that a plan without requests does
 * not load it.
 */
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
