import { serve } from "@trivet/provider-kit/host";
import { source } from "./source";

// Terraform starts a provider several times in each command. It has its answer before the rest is loaded.
serve({
  name: "{{name}}",
  source,
  // `trivet-provider pack` replaces this by the version in package.json.
  version: process.env["TRIVET_PROVIDER_VERSION"] ?? "0.0.0",
  routes: async (host) => {
    const [{ providerRoutes }, { definition }] = await Promise.all([
      import("@trivet/provider-kit"),
      import("./provider.js"),
    ]);
    return providerRoutes(definition)(host);
  },
});
