import { serve } from "../../../../src/core/provider-kit/host/index";

/** What the fixture does wrong, in addition to serving an empty provider. */
const behaviour = process.env["FIXTURE"] ?? "";

serve({
  name: "fixture",
  version: "1.2.3",
  source: "trivet.local/trivet/fixture",
  orphan: { firstConnectionMs: 60_000, reconnectionMs: 200 },
  routes: async ({ logger }) => {
    const { unary } = await import("../../../../src/core/provider-kit/wire/grpc/grpc-route.js");
    const { providerMethods } =
      await import("../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6.js");
    if (behaviour === "no-routes") throw new Error("the routes could not be made");
    return new Map([
      unary(providerMethods.getMetadata, () => ({ serverCapabilities: { planDestroy: true } })),
      unary(providerMethods.getProviderSchema, () => {
        if (behaviour === "crash") setImmediate(failOutsideOfTheCall);
        if (behaviour === "exit") process.exit(3);
        return { provider: { version: 1, block: {} } };
      }),
      unary(providerMethods.validateProviderConfig, () => {
        console.log("a stray line", { token: "abc" });
        process.stdout.write("another stray line\n");
        logger.redact("s3cr3t-value");
        logger.info("the secret is s3cr3t-value", { note: "s3cr3t-value", password: "hunter2" });
        throw new Error("failed with s3cr3t-value");
      }),
      unary(providerMethods.configureProvider, () => new Promise<never>(() => undefined)),
      unary(providerMethods.stopProvider, () => ({ error: "" })),
    ]);
  },
});

function failOutsideOfTheCall(): void {
  throw new TypeError("nobody catches this");
}
