import { serve } from "../provider-kit/host";

serve({
  name: "workspace",
  source: "trivet.local/trivet/workspace",
  version: process.env["TRIVET_PROVIDER_VERSION"] ?? "0.0.0",
  routes: async (host) => {
    const [{ providerRoutes }, { provider }] = await Promise.all([
      import("../provider-kit/server/calls/routes.js"),
      import("./provider-definition.js"),
    ]);
    return providerRoutes(provider)(host);
  },
});
