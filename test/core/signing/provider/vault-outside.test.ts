import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { attest } from "../../../../src/core/signing/attest/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { sign } from "../../../../src/core/signing/sign/declare";
import { openKey } from "../../../../src/core/signing/sigstore/key/open-key";
import { skippedWithout } from "../../../on-path";
import { details } from "../../provider-kit/server/protocol";
import { temporaryFolder } from "../../../local/signing/local-services";
import { programs } from "../../../local/signing/outside-services";
import { keySettings } from "../sigstore/key/kms-services";
import { startVault, vaultProgram } from "../sigstore/key/outside-vault";
import { openBench } from "../sign/signing-bench";
import { apply, make, plan, policyText, start, verifyImage, type Environment } from "./signing";

// These are the rows of OpenBao in the table of `docs/guide/signing.md`.

const run = promisify(execFile);
const { cosign } = programs;

skippedWithout(vaultProgram === undefined ? ["bao (or vault)"] : [], "no real server has the keys");
skippedWithout(cosign === undefined ? ["cosign"] : [], "what a key of Vault signs is not verified");

const predicateType = "https://example.com/tested";
const uri = "hashivault://release";

async function open(type: string) {
  const vault = await startVault(vaultProgram ?? "");
  await vault.admin("write", "-f", "transit/keys/release", `type=${type}`);
  const bench = await openBench();
  const { addresses, files } = bench.local;
  const folder = await temporaryFolder();
  const provider = (changes: Environment = {}) =>
    start(
      { trustedRoot: files.trustedRoot, rekorUrl: addresses.transparencyLog },
      { ...vault.env, ...changes },
    );
  return {
    vault,
    folder,
    provider,
    files,
    addresses,
    push: async (text: string) => {
      const pushed = await bench.pushImage(text);
      return `${formatRepository(pushed)}@${pushed.digest}`;
    },
    /** The public key as the provider reads it, in PEM. */
    publicKey: async () => {
      const { settings, context } = keySettings(vault.env);
      const { publicKey } = await openKey(uri, settings, context);
      return publicKey.export({ type: "spki", format: "pem" }).toString();
    },
    /** What policies with these keys say of the signatures and attestations of an image. */
    refusals: async (image: string, signatureFormat: string, keys: readonly object[]) => {
      const verifier = await provider();
      const said: string[] = [];
      for (const key of keys) {
        for (const attestations of [undefined, [{ name: "tested", predicateType }]]) {
          const authority = { key, ctlog: { url: addresses.transparencyLog }, signatureFormat };
          const authorities = [{ ...authority, ...(attestations && { attestations }) }];
          const policy = policyText(bench.local, { authorities });
          said.push(details((await verifyImage(verifier, image, policy)).diagnostics));
        }
      }
      return said.filter((words) => words !== "");
    },
    cosigns: async (...args: readonly string[]) => {
      const env = { PATH: process.env["PATH"], HOME: folder, ...vault.env };
      await run(cosign ?? "", [...args], { env });
    },
  };
}

const types = [
  "ecdsa-p256",
  "ecdsa-p384",
  "ecdsa-p521",
  "rsa-2048",
  "rsa-3072",
  "rsa-4096",
  "ed25519",
];
// Logs cannot verify the signatures of Ed25519 in the format legacy.
const rows = types.flatMap((type) =>
  ["legacy", "bundle"]
    .filter((format) => type !== "ed25519" || format === "bundle")
    .map((format) => [type, format] as const),
);

(vaultProgram === undefined ? describe.skip : describe)("a key in a real transit engine", () => {
  test.each(rows)(
    "of the type %s signs and attests in the format %s, and policies and cosign accept it",
    async (type, signatureFormat) => {
      const { provider, push, publicKey, refusals, folder, files, cosigns } = await open(type);
      const image = await push(type);
      const signer = await provider();
      await make(signer, sign, { image, key: uri, signatureFormat });
      const predicates = [{ type: predicateType, json: "{}" }];
      await make(signer, attest, { image, key: uri, signatureFormat, predicates });
      const data = await publicKey();
      expect(await refusals(image, signatureFormat, [{ data }, { kms: uri }])).toEqual([]);
      if (cosign === undefined) return;
      const file = join(folder, "release.pub");
      await writeFile(file, data);
      // With the URI, cosign 3.1.2 does not verify signatures with RSA or Ed25519, not even its own.
      for (const key of type.startsWith("ecdsa") ? [file, uri] : [file]) {
        const bundle = `--new-bundle-format=${String(signatureFormat === "bundle")}`;
        const trust = ["--trusted-root", files.trustedRoot, "--allow-http-registry", bundle];
        await cosigns("verify", "--key", key, ...trust, image);
        const typed = ["--type", predicateType];
        await cosigns("verify-attestation", "--key", key, ...typed, ...trust, image);
      }
    },
  );

  // cosign 3.1.2 signs with no others.
  (cosign === undefined ? test.skip.each([[""]]) : test.each(["ecdsa-p256", "rsa-2048"]))(
    "of the type %s with which cosign signs and attests is accepted by policies",
    async (type) => {
      const { push, publicKey, refusals, folder, files, addresses, cosigns } = await open(type);
      const data = await publicKey();
      const predicate = join(folder, "predicate.json");
      await writeFile(predicate, "{}");
      const services = {
        bundle: ["--signing-config", files.signingConfig, "--trusted-root", files.trustedRoot],
        legacy: ["--use-signing-config=false", "--rekor-url", addresses.transparencyLog],
      };
      for (const format of ["bundle", "legacy"] as const) {
        const image = await push(format);
        const bundle = `--new-bundle-format=${String(format === "bundle")}`;
        const common = [
          "--key",
          uri,
          "--yes",
          "--allow-http-registry",
          bundle,
          ...services[format],
        ];
        await cosigns("sign", ...common, image);
        const typed = ["--type", predicateType, "--predicate", predicate];
        await cosigns("attest", ...typed, ...common, image);
        expect(await refusals(image, format, [{ data }, { kms: uri }])).toEqual([]);
      }
    },
  );

  test("that was rotated signs with its newest version, and older signatures need the older public key", async () => {
    const { vault, provider, push, publicKey, refusals } = await open("ecdsa-p256");
    const config = { image: await push("before"), key: uri, signatureFormat: "bundle" };
    const kept = await make(await provider(), sign, config);
    const older = await publicKey();
    await vault.admin("write", "-f", "transit/keys/release/rotate");
    const newer = await publicKey();
    expect(newer).not.toBe(older);
    const signer = await provider();
    expect((await plan(signer, sign, config, kept)).planned).toEqual(kept.state);
    const after = { ...config, image: await push("after") };
    await make(signer, sign, after);
    const signatures = async (image: string, key: object) =>
      (await refusals(image, "bundle", [key])).length === 1;
    expect(await signatures(after.image, { data: newer })).toBe(true);
    expect(await signatures(after.image, { kms: uri })).toBe(true);
    expect(await signatures(config.image, { data: older })).toBe(true);
    expect(await signatures(config.image, { kms: uri })).toBe(false);
  });

  test("is used with the least rights, of another mount, in a namespace, and by OpenBao's variables", async () => {
    const { vault, provider, push } = await open("ecdsa-p256");
    await vault.admin("secrets", "enable", "-path=teams/signing", "transit");
    await vault.admin("write", "-f", "teams/signing/keys/release", "type=rsa-2048");
    const token = await vault.tokenFor({
      "transit/keys/release": ["read"],
      "transit/sign/release/*": ["update"],
    });
    const { VAULT_ADDR, VAULT_TOKEN, VAULT_CACERT } = vault.env;
    const none = { VAULT_ADDR: "", VAULT_TOKEN: "", VAULT_CACERT: "" };
    const others = { BAO_ADDR: VAULT_ADDR, BAO_TOKEN: VAULT_TOKEN, BAO_CACERT: VAULT_CACERT };
    await vault.admin("write", "transit/keys/ed", "type=ed25519");
    const rights = { "transit/keys/ed": ["read"], "transit/sign/ed": ["update"] };
    const limited = await provider({ VAULT_TOKEN: await vault.tokenFor(rights) });
    const ed = { image: await push("ed"), key: "openbao://ed", signatureFormat: "bundle" };
    await make(limited, sign, ed);
    const environments: Environment[] = [
      { VAULT_TOKEN: token },
      { TRANSIT_SECRET_ENGINE_PATH: "teams/signing" },
      { ...none, ...others },
    ];
    // Vault has namespaces in its enterprise edition only.
    if (await vault.admin("namespace", "create", "team").then(Boolean, () => false)) {
      await vault.admin("secrets", "enable", "-namespace=team", "transit");
      await vault.admin("write", "-namespace=team", "-f", "transit/keys/inside", "type=ecdsa-p256");
      const image = await push("in a namespace");
      const inside = await provider({ VAULT_NAMESPACE: "team" });
      await make(inside, sign, { image, key: "openbao://inside" });
    }
    for (const changes of environments) {
      const image = await push(JSON.stringify(Object.keys(changes)));
      await make(await provider(changes), sign, { image, key: "openbao://release" });
    }
  });

  test("that cannot be used is an error that says what to do, and never the token", async () => {
    const { vault, provider, push, folder, files } = await open("ecdsa-p256");
    await vault.admin("write", "transit/keys/aes256-gcm96", "type=aes256-gcm96");
    await vault.admin("write", "transit/keys/hmac", "type=hmac", "key_size=32");
    const image = await push("never signed");
    const failure = async (changes: Environment, key = uri) => {
      const { diagnostics } = await apply(await provider(changes), sign, { image, key });
      const words = details(diagnostics);
      expect(words).not.toContain(changes["VAULT_TOKEN"] ?? vault.env.VAULT_TOKEN);
      return words;
    };
    const readOnly = await vault.tokenFor({ "transit/keys/release": ["read"] });
    const junk = join(folder, "junk.pem");
    await writeFile(junk, "junk");
    const plain = vault.env.VAULT_ADDR.replace("https", "http");
    const said = [
      [
        { VAULT_TOKEN: "nonsense" },
        'HTTP status 403: "permission denied": the token must be valid',
      ],
      [
        { VAULT_TOKEN: readOnly },
        'needs the capability "update" for sign/release/sha2-256 of the transit engine',
      ],
      [{ TRANSIT_SECRET_ENGINE_PATH: "absent" }, "no handler for route"],
      [{ VAULT_CACERT: "" }, "(UNABLE_TO_VERIFY_LEAF_SIGNATURE)"],
      [{ VAULT_CACERT: join(folder, "absent") }, "cannot be used: it does not exist"],
      [{ VAULT_CACERT: junk }, "contains no certificate in PEM"],
      [{ VAULT_CACERT: files.timestampChain }, "(UNABLE_TO_VERIFY_LEAF_SIGNATURE)"],
      [{ VAULT_ADDR: plain }, "Client sent an HTTP request to an HTTPS server"],
    ] as const;
    for (const [changes, words] of said) expect(await failure(changes)).toContain(words);
    expect(await failure({}, "hashivault://absent")).toContain(
      "HTTP status 404: check the name of the key absent",
    );
    for (const type of ["aes256-gcm96", "hmac"]) {
      expect(await failure({}, `hashivault://${type}`)).toContain(
        `the key ${type} has the type ${type}, which cannot sign`,
      );
    }
    await vault.admin("operator", "seal");
    expect(await failure({})).toContain('HTTP status 503: "Vault is sealed"');
  });
});
