import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { sign } from "../../../../src/core/signing/sign/declare";
import { type Faults, withFaults } from "../../../local/service/with-faults";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import type { Declaration } from "../../../../src/core/schema";
import { closeAfterTest } from "../../http/close-after-test";
import { details, summaries } from "../../provider-kit/server/protocol";
import { openServices } from "../../../local/signing/local-services";
import { openRegistry } from "../oci/registry/registries";
import { tokenOf } from "../sigstore/service/client-bench";
import { attachedTo } from "../sign/attached";
import { openBench, type SigningBench } from "../sign/signing-bench";
import { apply, connect, make, policyText, refresh, settingsFor, verifyImage } from "./signing";

const textOf = (image: DigestReference): string => `${formatRepository(image)}@${image.digest}`;

async function open(settings: Parameters<typeof openBench>[0] = {}) {
  const bench = await openBench(settings);
  const image = await bench.pushImage("unlucky");
  const config = { image: textOf(image), predicates: [{ type: "custom", json: "{}" }] };
  return { bench, image, config, found: attachedTo(bench, image) };
}

async function faulty(target: string, faults: Faults): Promise<string> {
  const service = await withFaults(target, faults);
  closeAfterTest(() => service.close());
  return service.url;
}

const configOf = (declaration: Declaration, { image, predicates }: Record<string, unknown>) =>
  declaration === sign ? { image } : { image, predicates };

describe.each([sign, attest] as const)("with $type", (declaration) => {
  test("a missing image is an error", async () => {
    const { bench, config } = await open();
    const image = `${config.image.slice(0, -64)}${"0".repeat(64)}`;
    const own = configOf(declaration, { ...config, image });
    const { diagnostics, state } = await apply(await connect(bench.local), declaration, own);
    expect(state).toBeNull();
    expect(summaries(diagnostics)).toEqual(["ERROR - Image Not Found"]);
    expect(details(diagnostics)).toContain(image);
    expect(await bench.logSize()).toBe(0);
  });

  test("an expired token is an error that names its subject", async () => {
    const { bench, config, found } = await open();
    const exp = Math.floor(Date.now() / 1000) - 60;
    const identityToken = tokenOf({ sub: "ada", aud: "sigstore", iss: "https://i.example", exp });
    const provider = await connect(bench.local, { identityToken });
    const { diagnostics } = await apply(provider, declaration, configOf(declaration, config));
    expect(summaries(diagnostics)).toEqual(["ERROR - Identity Token Cannot Be Used"]);
    expect(details(diagnostics)).toContain("The identity token of ada has expired");
    expect(details(diagnostics)).not.toContain(identityToken);
    expect(await found.tagged(".sig")).toBeUndefined();
  });

  test("services that the trusted root does not contain are not trusted: nothing is written", async () => {
    const { bench, config, found } = await open();
    const other = await openServices();
    const provider = await connect(bench.local, { trustedRoot: other.files.trustedRoot });
    const { diagnostics } = await apply(provider, declaration, configOf(declaration, config));
    expect(summaries(diagnostics)).toEqual(["ERROR - New Signature Does Not Verify"]);
    expect(details(diagnostics)).toContain("nothing was written");
    expect(await found.tagged(".sig")).toBeUndefined();
    expect(await found.tagged(".att")).toBeUndefined();
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["that is missing", { trustedRoot: "/nowhere/root.json" }, "/nowhere/root.json"],
    ["that is invalid", { trustedRoot: '{"mediaType":"text"}' }, "mediaType"],
  ])("a trusted root %s is an error", async (_name, settings, expected) => {
    const { bench, config } = await open();
    const provider = await connect(bench.local, settings);
    const { diagnostics } = await apply(provider, declaration, configOf(declaration, config));
    expect(summaries(diagnostics)).toEqual(["ERROR - Trusted Root Cannot Be Used"]);
    expect(details(diagnostics)).toContain(expected);
  });

  test.each(["fulcioUrl", "rekorUrl", "registry"] as const)(
    "a service that never responds ends the call at its deadline: %s",
    async (name) => {
      const { bench, config } = await open();
      const { addresses, registryHost } = bench.local;
      const targets = {
        fulcioUrl: addresses.certificateAuthority,
        rekorUrl: addresses.transparencyLog,
        registry: addresses.registry,
      };
      const url = await faulty(targets[name], () => ({ kind: "never answer" }));
      const provider = await connect(bench.local, {
        timeout: "500ms",
        ...(name !== "registry" && { [name]: url }),
      });
      const image = config.image.replace(registryHost, new URL(url).host);
      const own = name === "registry" ? { ...config, image } : config;
      const { diagnostics } = await apply(provider, declaration, configOf(declaration, own));
      expect(summaries(diagnostics)).toEqual(["ERROR - Operation Timed Out"]);
      expect(details(diagnostics)).toContain(
        "To allow more time, increase the provider's timeout.",
      );
    },
  );
});

test("a read from a registry that stopped responding ends at its deadline, and changes nothing", async () => {
  const { bench, config } = await open();
  let isSilent = false;
  const url = await faulty(bench.local.addresses.registry, () =>
    isSilent ? { kind: "never answer" } : undefined,
  );
  const provider = await connect(bench.local);
  const image = config.image.replace(bench.local.registryHost, new URL(url).host);
  const signed = await make(provider, sign, { image });
  const destination = `${new URL(url).host}/mine/app`;
  const copied = await make(provider, copy, { source: image, destination });
  isSilent = true;
  const hasty = await connect(bench.local, { timeout: "500ms" });
  for (const [declaration, kept] of [
    [sign, signed],
    [copy, copied],
  ] as const) {
    const { state, diagnostics } = await refresh(hasty, declaration, kept);
    expect(state).toBeUndefined();
    expect(summaries(diagnostics)).toEqual(["ERROR - Operation Timed Out"]);
  }
  const { summaries: found } = await verifyImage(hasty, image, policyText(bench.local));
  expect(found).toEqual(["ERROR - Operation Timed Out"]);
});

test("a request is repeated after a temporary failure of a service", async () => {
  const { bench, config, found } = await open();
  const unwell: Faults = ({ index }) => (index === 0 ? { kind: "answer", status: 503 } : undefined);
  const provider = await connect(bench.local, {
    fulcioUrl: await faulty(bench.local.addresses.certificateAuthority, unwell),
    rekorUrl: await faulty(bench.local.addresses.transparencyLog, unwell),
  });
  await make(provider, sign, { image: config.image });
  expect(await found.signatures()).toEqual(["dev@example.com"]);
});

describe("secrets", () => {
  const password = "hunter2-the-password";
  const access = { scheme: "token", username: "ada", password } as const;

  async function secured(local: SigningBench["local"], host: string, given: string) {
    const registries = [{ host, username: "ada", password: given }];
    const settings = settingsFor(local);
    return { provider: await connect(local, { ...settings, registries }), settings, registries };
  }

  test("appear in no diagnostic, no state and no log line", async () => {
    const local = await openServices();
    const host = await openRegistry("ours", { access });
    const { provider, settings } = await secured(local, host, password);
    const image = `${host}/lab/app@sha256:${"0".repeat(64)}`;
    const answers = [
      await apply(provider, sign, { image }),
      await apply(provider, copy, { source: image, destination: `${host}/mine` }),
      await verifyImage(provider, image, policyText(local)),
    ];
    expect(answers.map(({ diagnostics }) => summaries(diagnostics))).toEqual([
      ["ERROR - Image Not Found"],
      ["ERROR - Image Not Found"],
      ["ERROR image Image Not Found"],
    ]);
    const everything = JSON.stringify(answers) + provider.log.join("");
    expect(provider.log.length).toBeGreaterThan(0);
    for (const secret of [
      password,
      Buffer.from(`ada:${password}`).toString("base64"),
      String(settings["identityToken"]),
      "Bearer ",
      "Basic ",
    ]) {
      expect(everything).not.toContain(secret);
    }
  });

  test("that are invalid are not in the error", async () => {
    const local = await openServices();
    const host = await openRegistry("ours", { access });
    const { provider } = await secured(local, host, "wrong-password-xyz");
    const image = `${host}/lab/app@sha256:${"0".repeat(64)}`;
    const { diagnostics } = await apply(provider, sign, { image });
    expect(summaries(diagnostics)).toEqual(["ERROR - Registry Requires Credentials"]);
    expect(details(diagnostics) + provider.log.join("")).not.toContain("wrong-password-xyz");
  });

  test("of a successful signature are not written anywhere either", async () => {
    const { bench, config } = await open();
    const settings = settingsFor(bench.local);
    const provider = await connect(bench.local, settings);
    const kept = await make(provider, sign, { image: config.image });
    const record = Buffer.from(kept.private ?? []).toString();
    const everything = JSON.stringify(kept.state) + record + provider.log.join("");
    expect(everything).not.toContain(String(settings["identityToken"]));
    expect(everything).not.toContain("PRIVATE KEY");
  });
});
