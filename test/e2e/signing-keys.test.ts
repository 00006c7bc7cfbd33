import { policyText } from "../signing/provider/signing";
import { words } from "./support/command";
import { type KeyService, keyServices, publicPem, startKeyService } from "./support/key-services";
import { imageText, type SigningScenario, signingScenario, signingText } from "./support/signing";

/** Both must accept the image: one requires a signature, the other an attestation. */
function policies({ bench }: SigningScenario, key: object): string {
  const signature = { key, signatureFormat: "bundle" };
  const attestation = { ...signature, attestations: [{ name: "a", predicateType: "custom" }] };
  const documents = [signature, attestation].map((authority) =>
    policyText(bench.local, { authorities: [authority] }),
  );
  return JSON.stringify(documents.join("\n---\n"));
}

/** Signs and attests with a key, and verifies with its URI and with the public key. */
function flow(scenario: SigningScenario, image: string, key: string): string {
  return `
resource "signing_sign" "app" {
  image            = "${image}"
  key              = "${key}"
  signature_format = "both"
}
resource "signing_attest" "app" {
  image            = signing_sign.app.signed_ref
  key              = "${key}"
  signature_format = "bundle"
  predicates {
    type = "custom"
    json = jsonencode({ tested = true })
  }
}
data "signing_verify" "app" {
  for_each = { uri = ${policies(scenario, { kms: key })}, pem = ${policies(scenario, { data: publicPem })} }
  image    = signing_attest.app.attested_ref
  policy   = each.value
}
`;
}

/** A configuration that has no identity. */
function keyed(scenario: SigningScenario, body: string): string {
  return signingText(scenario, body).replace(/^ {2}fulcio_url .*\n/m, "");
}

async function open(service: KeyService) {
  const cloud = await startKeyService(service);
  const scenario = await signingScenario("terraform");
  Object.assign(scenario.workspace.env, cloud.env, { SIGSTORE_ID_TOKEN: "" });
  const image = imageText(await scenario.bench.pushImage("signed with a key of a service"));
  return { cloud, ...scenario, image, scenario };
}

describe.each(keyServices)("a key in $name", (service) => {
  it("signs, attests and verifies, and its credentials go to nobody else", async () => {
    const { cloud, workspace, image, scenario } = await open(service);
    workspace.write(keyed(scenario, flow(scenario, image, service.uri("busy"))));
    await workspace.init();
    await workspace.apply();
    expect(await workspace.plansChanges()).toBe(false);
    expect([...cloud.hosts].sort()).toEqual([...service.hosts].sort());
    for (const [secret, hosts] of Object.entries(service.secrets)) {
      const seen = cloud.requests.filter((request) => {
        const { headers, url, body } = request;
        return (JSON.stringify(headers) + url + body.toString()).includes(secret);
      });
      expect([...new Set(seen.map(({ host }) => host))]).toEqual(hosts);
    }
  });

  it("that cannot be used is an error with the service's words, and nothing is signed", async () => {
    const { cloud, bench, workspace, image, scenario } = await open(service);
    const keys = Object.keys(service.words);
    const resources = keys.map(
      (key) => `
resource "signing_sign" "${key}" {
  image = "${image}"
  key   = "${service.uri(key)}"
}`,
    );
    workspace.write(keyed(scenario, resources.join("\n")));
    await workspace.init();
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    for (const expected of Object.values(service.words)) expect(words(output)).toContain(expected);
    for (const secret of Object.keys(service.secrets)) expect(output).not.toContain(secret);
    expect(await bench.logSize()).toBe(0);
    expect([...cloud.hosts].sort()).toEqual([...service.hosts].sort());
  });
});
