import { serve } from "../provider-kit/host";

serve({
  name: "ids",
  source: "trivet.local/trivet/ids",
  version: process.env["TRIVET_PROVIDER_VERSION"] ?? "0.0.0",
  routes: async (host) => {
    const [{ providerRoutes }, { provider }] = await Promise.all([
      import("../provider-kit/server/calls/routes.js"),
      import("./provider-definition.js"),
    ]);
    return providerRoutes(provider)(host);
  },
});
