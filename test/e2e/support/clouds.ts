import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { connect, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import {
  ecdsaWithSha256,
  writeCertificateBody,
  writeName,
  writeExtension,
} from "../../../src/local/signing/certificate/write-certificate";
import { toPem } from "../../../src/core/signing/sigstore/der/der-element";
import {
  derBitString,
  derContextPrimitive,
  derSequence,
} from "../../../src/core/signing/sigstore/der/write-der";
import { closeAfterTest } from "../../core/http/close-after-test";
import type { ScriptedAnswer, ScriptedRequest } from "../../core/http/scripted-server";

/** A request to one of the services. */
export interface CloudRequest extends ScriptedRequest {
  readonly host: string;
}

/** Services of a cloud under their real names, for a process with this environment. */
export interface Cloud {
  readonly env: NodeJS.ProcessEnv;
  readonly requests: readonly CloudRequest[];
  /** Every host that was asked for, also those that are none of the services. */
  readonly hosts: ReadonlySet<string>;
  readonly folder: string;
}

/**
 * Plays services whose host names cannot be changed: a proxy leads every connection with TLS to one server on this
 * machine, whose certificate has their names.
 */
export async function startCloud(
  names: readonly string[],
  answer: (request: CloudRequest) => ScriptedAnswer,
): Promise<Cloud> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-cloud-"));
  const requests: CloudRequest[] = [];
  const { cert, key } = certificateFor(names);
  const server = createServer({ cert, key }, (message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const { method = "", url = "", headers } = message;
      const request = { method, url, headers, body: Buffer.concat(chunks) };
      const asked = { ...request, host: headers.host?.replace(/:443$/, "") ?? "" };
      requests.push(asked);
      const { status = 200, headers: sent, body = "" } = answer(asked);
      response.writeHead(status, { "content-type": "application/json", ...sent }).end(body);
    });
  });
  const hosts = new Set<string>();
  const tunnels = new Set<Duplex>();
  const proxy = createProxy();
  proxy.on("connect", ({ url = "" }, client) => {
    const host = url.replace(/:\d+$/, "");
    hosts.add(host);
    if (!names.includes(host)) {
      client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const socket = connect(portOf(server), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(client).pipe(socket);
    });
    for (const each of [socket, client]) {
      tunnels.add(each);
      each.on("error", () => each.destroy());
    }
  });
  for (const each of [server, proxy]) {
    await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
    closeAfterTest(() => {
      for (const tunnel of tunnels) tunnel.destroy();
      each.closeAllConnections();
      return new Promise((resolve) => each.close(resolve));
    });
  }
  closeAfterTest(() => {
    rmSync(folder, { recursive: true });
    return Promise.resolve();
  });
  const roots = join(folder, "roots.pem");
  writeFileSync(roots, cert);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`, NODE_EXTRA_CA_CERTS: roots };
  return { env, requests, hosts, folder };
}

const portOf = (server: Pick<Server, "address">): number => (server.address() as AddressInfo).port;

/** A certificate for names, which is its own root. */
function certificateFor(names: readonly string[]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = writeName("trivet.local", "clouds of a test");
  const dayMs = 86_400_000;
  const dnsNames = names.map((name) => derContextPrimitive(2, Buffer.from(name, "latin1")));
  const body = writeCertificateBody({
    serial: Buffer.of(1),
    issuer: subject,
    subject,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    spki: publicKey.export({ type: "spki", format: "der" }),
    extensions: [writeExtension("2.5.29.17", derSequence(...dnsNames))],
  });
  const signature = derBitString(sign("sha256", body, privateKey));
  return {
    cert: toPem("CERTIFICATE", derSequence(body, ecdsaWithSha256, signature)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
