import { createServer, type Server } from "node:http";
import { closeAfterTest } from "./close-after-test";
import { endpoint } from "../../../src/core/ids/endpoint/declare";
import { idsProvider } from "../../../src/core/ids/provider/declare";
import { createTerraformHarness, spawnProvider } from "../../../src/core/provider-kit/testing";
import { packagedProvider } from "../../e2e/support/build";

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a packaged provider connects through a proxy, with the library in the package", async () => {
  const targets: string[] = [];
  const proxy = createServer().on("connect", ({ url = "" }, client) => {
    targets.push(url);
    client.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closeAfterTest(() => new Promise((resolve) => proxy.close(resolve)));
  const provider = await spawnProvider(packagedProvider("ids"), {
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    XDG_STATE_HOME: "/dev/null",
    NO_PROXY: undefined,
    no_proxy: undefined,
    https_proxy: undefined,
  });
  closeAfterTest(() => provider.close());
  const terraform = createTerraformHarness(provider);
  const configured = await terraform.configure(idsProvider, {
    project: "acme",
    zone: "us-central1-f",
    accessToken: "token",
    cloudIdsCustomEndpoint: "https://service.invalid/v1/",
  });
  expect(configured).toEqual([]);
  const { diagnostics } = await terraform.resource(endpoint).deploy({
    endpointId: "edge",
    network: "projects/acme/global/networks/main",
    severity: "HIGH",
  });
  expect(diagnostics).toEqual([
    expect.objectContaining({
      detail: expect.stringContaining("the proxy refused the connection (status 403)") as unknown,
    }),
  ]);
  expect(new Set(targets)).toEqual(new Set(["service.invalid:443"]));
});
