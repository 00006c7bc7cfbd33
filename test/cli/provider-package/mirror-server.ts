import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { createCertificate } from "../../../src/core/provider-kit/host/connection/certificate";
import { temporaryFolder } from "../temporary-folder";

/** A mirror that is served over TLS on the loopback interface, as any web server would. */
interface MirrorServer {
  /** The paths of all requests so far. */
  readonly requests: readonly string[];
  /** The variables with which Terraform installs the providers of one host from it only, and trusts it. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Serves a folder until the tests of the file have ended.
 *
 * @param include the providers that are installed from it, such as `example.com/*\/*`
 */
export async function serveMirror(folder: string, include: string): Promise<MirrorServer> {
  const { pem, keyPem } = createCertificate();
  const requests: string[] = [];
  const server = createServer({ cert: pem, key: keyPem }, (request, response) => {
    const path = normalize(decodeURIComponent(request.url ?? "/"));
    requests.push(path);
    readFile(join(folder, path)).then(
      (content) => {
        const type = path.endsWith(".json") ? "application/json" : "application/zip";
        response.writeHead(200, { "content-type": type }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  const settings = temporaryFolder();
  const roots = join(settings, "roots.pem");
  const configuration = join(settings, "terraform.rc");
  const { port } = server.address() as AddressInfo;
  await writeFile(roots, pem);
  await writeFile(
    configuration,
    `provider_installation {
      network_mirror {
        url     = "https://localhost:${port}/"
        include = ["${include}"]
      }
    }`,
  );
  const env = {
    TF_CLI_CONFIG_FILE: configuration,
    SSL_CERT_FILE: roots,
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
  };
  return { requests, env };
}

const closing: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});
