// Parts of undici instead of its index, which loads fetch, WebSocket and caches with them and takes
// two and a half times as long. undici has no exports map, and its version is pinned.

declare module "undici/lib/api/index.js" {
  const methods: Readonly<Record<string, unknown>>;
  export = methods;
}

declare module "undici/lib/dispatcher/dispatcher.js" {
  import { Dispatcher } from "undici";
  export = Dispatcher;
}

declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export = Agent;
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import { EnvHttpProxyAgent } from "undici";
  export = EnvHttpProxyAgent;
}
