import { createCertificate } from "../../../../../src/core/provider-kit/host/connection/certificate";
import {
  handshakeLine,
  magicCookie,
  readInvitation,
} from "../../../../../src/core/provider-kit/host/connection/handshake";

const client = createCertificate();
const invited = {
  ...magicCookie,
  PLUGIN_PROTOCOL_VERSIONS: "5,6",
  PLUGIN_CLIENT_CERT: client.pem,
};

test("accepts Terraform's environment", () => {
  expect(readInvitation(invited)).toEqual({ clientCertificate: client.der });
});

test("knows the cookie of Terraform and OpenTofu", () => {
  expect(magicCookie.TF_PLUGIN_MAGIC_COOKIE).toBe(
    "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
  );
});

test.each([
  ["no cookie", undefined],
  ["a wrong cookie", "d602"],
])("recognises by %s that Terraform has not started the program", (_name, cookie) => {
  expect(readInvitation({ ...invited, TF_PLUGIN_MAGIC_COOKIE: cookie })).toBeUndefined();
});

test.each([
  ["no protocol versions", { PLUGIN_PROTOCOL_VERSIONS: undefined }, "offers no version"],
  ["only protocol 5", { PLUGIN_PROTOCOL_VERSIONS: "4,5" }, 'offers "4,5"'],
  ["no client certificate", { PLUGIN_CLIENT_CERT: undefined }, "no client certificate"],
  ["an empty client certificate", { PLUGIN_CLIENT_CERT: "" }, "no client certificate"],
  ["an invalid client certificate", { PLUGIN_CLIENT_CERT: "xyz" }, "must contain a certificate"],
])("refuses %s", (_name, change, reason) => {
  const refusal = expect.stringContaining(reason) as string;
  expect(readInvitation({ ...invited, ...change })).toEqual({ refusal });
});

test("serves without TLS only when Terraform disables it", () => {
  const env = { ...invited, TF_DISABLE_PLUGIN_TLS: "1" };
  expect(readInvitation({ ...env, PLUGIN_CLIENT_CERT: undefined })).toEqual({
    clientCertificate: undefined,
  });
  expect(readInvitation(env)).toEqual({ clientCertificate: client.der });
});

test("writes the handshake in one line, the certificate without padding", () => {
  expect(handshakeLine("unix", "/tmp/x/s", Buffer.of(1, 2, 3, 4))).toBe(
    "1|6|unix|/tmp/x/s|grpc|AQIDBA\n",
  );
  expect(handshakeLine("tcp", "127.0.0.1:10000", undefined)).toBe(
    "1|6|tcp|127.0.0.1:10000|grpc|\n",
  );
});
