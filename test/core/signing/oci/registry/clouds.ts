import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createHttpClient } from "../../../../../src/core/http/client";
import { failureOf as failure } from "../../../../../src/core/http/http-error";
import { createNodeTransport } from "../../../../../src/core/http/node-transport";
import { cloudCredentials } from "../../../../../src/core/signing/oci/registry/cloud-credentials";
import { closeAfterTest } from "../../../http/close-after-test";
import {
  startScriptedServer,
  type ScriptedAnswer,
  type ScriptedRequest,
} from "../../../http/scripted-server";
import { VirtualClock } from "../../../http/virtual-clock";
import { setEnvironment } from "../../set-environment";
import { contextOf } from "./registries";

export const now = new Date("2026-01-02T03:04:05.000Z");

/** What a cloud's service was asked. */
export interface Asked {
  readonly url: string;
  readonly headers: ScriptedRequest["headers"];
  readonly body: string;
}

/** What keeps the libraries of clouds from looking at the machine that runs the tests. */
const sealed = {
  AWS_EC2_METADATA_DISABLED: "true",
  AZURE_TOKEN_CREDENTIALS: "prod",
};

/**
 * The services of a cloud on this machine, under their real URLs. Any other URL is an error that fails the test, and
 * link-local addresses cannot be reached. What a library asks this machine has the host `machine`.
 *
 * @param services by `METHOD URL`, without the query string
 * @param environment with `HOME` for the home folder, and `MACHINE` for the origin of this machine
 */
export async function openCloud(
  services: Readonly<Record<string, (asked: Asked) => ScriptedAnswer | Promise<ScriptedAnswer>>>,
  {
    environment = {},
    files = {},
    machineName = "Ordinary Machine",
  }: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly files?: Readonly<Record<string, unknown>>;
    readonly machineName?: string;
  } = {},
) {
  const homeFolder = mkdtempSync(join(tmpdir(), "trivet-cloud-"));
  closeAfterTest(() => rmSync(homeFolder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = join(homeFolder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      (typeof content === "string" ? content : JSON.stringify(content)).replaceAll(
        "HOME",
        homeFolder,
      ),
    );
  }
  const productFile = join(homeFolder, "product_name");
  writeFileSync(productFile, `${machineName}\n`);
  const redacted: string[] = [];
  const asked: Asked[] = [];
  const server = await startScriptedServer(({ method, url: path, headers, body }) => {
    const url = String(headers["x-real-url"] ?? `http://machine${path}`);
    const request = { url, headers, body: body.toString() };
    asked.push(request);
    const service = services[`${method} ${url.split("?")[0] ?? ""}`];
    return service?.(request) ?? { status: 599, body: `nobody expected ${method} ${url}` };
  });
  const transport = createNodeTransport({});
  const http = createHttpClient({
    clock: new VirtualClock(),
    transport: {
      send(request) {
        const { hostname, origin, pathname } = new URL(request.url);
        const isKnown = `${request.method} ${origin}${pathname}` in services;
        if (hostname.startsWith("169.254.") && !isKnown) {
          return Promise.reject(failure("EHOSTUNREACH", "there is no such machine"));
        }
        return transport.send({
          ...request,
          url: `${server.origin}/`,
          headers: { ...request.headers, "x-real-url": request.url },
        });
      },
      close: () => transport.close(),
    },
  });
  closeAfterTest(() => http.close());
  const variables: Record<string, string | undefined> = { HOME: homeFolder };
  for (const [name, value] of Object.entries({ ...sealed, ...environment })) {
    variables[name] = value.replaceAll("HOME", homeFolder).replaceAll("MACHINE", server.origin);
  }
  setEnvironment(variables);
  const source = cloudCredentials({
    http,
    env: variables,
    now: () => now.getTime(),
    productFile,
    redact: (secret) => redacted.push(secret),
  });
  return {
    asked,
    redacted,
    find: (registry: string, context = contextOf()) => source.find(registry, context),
  };
}

export const answer = (json: unknown): ScriptedAnswer => ({ body: JSON.stringify(json) });

export const formOf = ({ body }: Asked) => Object.fromEntries(new URLSearchParams(body));
