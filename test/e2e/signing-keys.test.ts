import { words } from "./support/command";
import { keyed, keyFlow } from "./support/key-flow";
import { type KeyService, keyServices, publicPem, startKeyService } from "./support/key-services";
import { imageText, signingScenario } from "./support/signing";

async function open(service: KeyService) {
  const cloud = await startKeyService(service);
  const scenario = await signingScenario("terraform");
  Object.assign(scenario.workspace.env, cloud.env, { SIGSTORE_ID_TOKEN: "" });
  const image = imageText(await scenario.bench.pushImage("signed with a key of a service"));
  return { cloud, ...scenario, image, scenario };
}

describe.each(keyServices)("a key in $name", (service) => {
  it("signs, attests and verifies, and its credentials go nowhere else", async () => {
    const { cloud, workspace, image, scenario } = await open(service);
    const key = service.uri("busy");
    const accepting = [{ kms: key }, { data: publicPem }];
    workspace.write(keyed(scenario, keyFlow(scenario, image, key, accepting)));
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
