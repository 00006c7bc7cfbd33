import { execFileSync, spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { bundleFromJSON } from "@sigstore/bundle";
import { toSignedEntity, Verifier } from "@sigstore/verify";
import { sample } from "../all-tests";
import { temporaryFolder } from "../cli/temporary-folder";
import { buildWhenStale, root } from "../e2e/support/build";
import { startCommand } from "../e2e/support/command";
import { serveMirror } from "../cli/provider-package/mirror-server";
import { projectWith } from "../packed/project-with";
import { providerNames } from "../provider-names";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};
const folder = temporaryFolder();
const keyFile = join(folder, "release.key");
const release = join(folder, "release");

/** The extension for VS Code, for which npm first installs its packer. */
const extensions: readonly string[] = sample([`trivet-vscode-${version}.vsix`], []);

/** Makes a release of what is built, in a work folder below `around`. */
async function makeRelease(out: string, around: string, ...args: string[]): Promise<void> {
  mkdirSync(around, { recursive: true });
  const without = extensions.length === 0 ? ["--without-extension"] : [];
  const all = [join(root, "scripts/release.mjs"), "--built", "--out", out, ...without, ...args];
  const env = { ...process.env, TMPDIR: around };
  const { code, output } = await startCommand(process.execPath, all, { cwd: root, env }).ended;
  expect({ code, output }).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  await buildWhenStale();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  await makeRelease(release, join(folder, "work"), "--key", keyFile);
});

/** The SHA-256 digest of each file below a folder, by its path. */
function digests(of: string): Readonly<Record<string, string>> {
  const files = readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const lines = execFileSync("sha256sum", files, { encoding: "utf8" }).trim().split("\n");
  return Object.fromEntries(lines.map((line) => [relative(of, line.slice(66)), line.slice(0, 64)]));
}

interface Components {
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

/** The packages in a file of licences, as `name@version`. */
const listedPackages = (text: string): string[] =>
  [...text.matchAll(/^- (\S+@\S+): /gm)].map(([, name = ""]) => name);

const tarball = () => join(release, `trivet-constructs-${version}.tgz`);
const kitTarball = () => join(release, `trivet-provider-kit-${version}.tgz`);
const attestation = (what: string) => join(release, `trivet-${version}.${what}.sigstore.json`);

describe("a release", () => {
  it("has the same bytes when it is made again in another folder, without a key", async () => {
    const again = join(folder, "again");
    await makeRelease(again, join(folder, "another", "place", "to", "work"));
    const attested = /(?:\.sigstore\.json|release\.pub)$/;
    const expected = Object.entries(digests(release)).filter(([name]) => !attested.test(name));
    expect(expected.length).toBeGreaterThan(30);
    expect(digests(again)).toEqual(Object.fromEntries(expected));
  });

  it("lists the checksums of its files", () => {
    const args = ["--check", "--strict", "--quiet", "SHA256SUMS"];
    expect(spawnSync("sha256sum", args, { cwd: release, encoding: "utf8" })).toMatchObject({
      status: 0,
    });
    const listed = readFileSync(join(release, "SHA256SUMS"), "utf8").trim().split("\n");
    expect(listed).toHaveLength(3 + extensions.length + providerNames.length * 5);
  });

  it("is a package without what only the checkout needs, with providers of its version", () => {
    const installed = join(projectWith(tarball(), []), "node_modules/@trivet/constructs");
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as object;
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["scripts"]));
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["devDependencies"]));
    const versions = readFileSync(join(installed, "dist/providers/versions.json"), "utf8");
    expect(JSON.parse(versions)).toEqual(
      Object.fromEntries(providerNames.map((name) => [name, version])),
    );
    expect(readdirSync(installed)).toContain("CHANGELOG.md");
  });

  it("has the provider kit as a package of its own, of the same version", () => {
    const kit = join(projectWith(kitTarball(), []), "node_modules/@trivet/provider-kit");
    const manifest = JSON.parse(readFileSync(join(kit, "package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({ name: "@trivet/provider-kit", version });
    expect(readdirSync(join(kit, "dist"))).not.toContain("providers");
    const bom = JSON.parse(readFileSync(join(release, `trivet-${version}.cdx.json`), "utf8")) as {
      metadata: { component: { components: readonly { name: string }[] } };
    };
    expect(bom.metadata.component.components.map(({ name }) => name)).toEqual([
      "@trivet/constructs",
      "@trivet/provider-kit",
      ...extensions.map(() => "trivet-vscode"),
    ]);
  });

  extensions.map((name) => {
    it("has the extension for VS Code, with its licences", () => {
      const unpacked = temporaryFolder();
      execFileSync("unzip", ["-q", join(release, name), "-d", unpacked]);
      const files = readdirSync(join(unpacked, "extension")).sort();
      expect(files).toEqual([
        "LICENSE.txt",
        "THIRD-PARTY-LICENSES",
        "extension.js",
        "icon.png",
        "package.json",
        "readme.md",
      ]);
      const text = readFileSync(join(unpacked, "extension", "package.json"), "utf8");
      expect(JSON.parse(text)).toMatchObject({ name: "trivet-vscode", version });
      const bom = readFileSync(join(release, `trivet-${version}.cdx.json`), "utf8");
      expect(bom).toContain(`pkg:vscode-extension/trivet/trivet-vscode@${version}`);
    });
  });

  it("creates projects, with the versions that its package.json does not list", () => {
    const project = projectWith(tarball(), []);
    const trivet = join(project, "node_modules/@trivet/constructs/dist/src/cli/main.js");
    for (const kind of ["ids", "template", "signing", "all"]) {
      for (const library of ["cdktf", "cdktn"]) {
        const created = join(project, `${kind}-${library}`);
        const args = ["init", kind, created, "--library", library, "--package", tarball()];
        execFileSync(process.execPath, [trivet, ...args], { stdio: "pipe" });
        const text = readFileSync(join(created, "package.json"), "utf8");
        const { dependencies, devDependencies } = JSON.parse(text) as Readonly<
          Record<string, Readonly<Record<string, string>>>
        >;
        expect(dependencies?.[library]).toMatch(/^\d+\.\d+\.\d+$/);
        expect(devDependencies?.["jest"]).toMatch(/^\d+\.\d+\.\d+$/);
      }
    }
  });

  it("lists the packages of others that are in it, with their versions", () => {
    const bom = JSON.parse(
      readFileSync(join(release, `trivet-${version}.cdx.json`), "utf8"),
    ) as Record<string, unknown> & { components: readonly { name: string; purl: string }[] };
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    const names = bom.components.map(({ name }) => name);
    // Installed with it, inlined, and bundled with a provider.
    for (const name of ["commander", "zod", "fflate", "re2js", "@azure/identity"]) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain("jest");
    for (const { name, purl } of bom.components) {
      const own = JSON.parse(
        readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
      ) as { version: string };
      expect(purl).toMatch(/^pkg:npm\/[^@]+@\d/);
      expect(purl.endsWith(`@${own.version}`) || purl.includes(name.replace("@", "%40"))).toBe(
        true,
      );
    }
  });

  it("has the licences of these packages in its npm packages, and in each zip file those of its own", () => {
    const installed = projectWith(tarball(), []);
    const kit = join(projectWith(kitTarball(), []), "node_modules/@trivet/provider-kit");
    const listed = (...path: string[]) =>
      listedPackages(readFileSync(join(...path, "THIRD-PARTY-LICENSES"), "utf8"));
    const constructs = listed(installed, "node_modules/@trivet/constructs");
    expect(listed(kit)).toEqual([
      expect.stringMatching(/^commander@/),
      expect.stringMatching(/^fflate@/),
      expect.stringMatching(/^spdx-license-list@/),
      expect.stringMatching(/^zod@/),
    ]);
    const inExtensions = extensions.flatMap((name) => {
      const args = ["-p", join(release, name), "extension/THIRD-PARTY-LICENSES"];
      return listedPackages(execFileSync("unzip", args, { encoding: "utf8" }));
    });
    const all = [...new Set([...constructs, ...listed(kit), ...inExtensions])].sort();
    const bom = JSON.parse(
      readFileSync(join(release, `trivet-${version}.cdx.json`), "utf8"),
    ) as Components;
    expect(bom.components.map((each) => `${each.name}@${each.version}`).sort()).toEqual(all);
    expect(listed(kit, "dist/module")).toEqual([expect.stringMatching(/^zod@/)]);
    const zips = Object.keys(digests(release)).filter((path) => path.endsWith(".zip"));
    expect(zips).toHaveLength(2 * providerNames.length * 5);
    for (const zip of zips) {
      const args = ["-p", join(release, zip), "THIRD-PARTY-LICENSES"];
      const packages = listedPackages(execFileSync("unzip", args, { encoding: "utf8" }));
      expect(packages).not.toEqual([]);
      expect(all).toEqual(expect.arrayContaining(packages));
    }
  });

  it.each([
    ["provenance", "https://slsa.dev/provenance/v1"],
    ["sbom", "https://cyclonedx.org/bom"],
  ])(
    "has an attestation of its %s, which sigstore-js and node:crypto verify",
    (what, predicateType) => {
      const publicKey = createPublicKey(readFileSync(join(release, "release.pub")));
      const text: unknown = JSON.parse(readFileSync(attestation(what), "utf8"));
      const verifier = new Verifier(
        {
          certificateAuthorities: [],
          timestampAuthorities: [],
          tlogs: [],
          ctlogs: [],
          publicKey: () => ({ publicKey, validFor: () => true }),
        },
        { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 },
      );
      expect(() => verifier.verify(toSignedEntity(bundleFromJSON(text)))).not.toThrow();
      const bundle = text as {
        mediaType: string;
        dsseEnvelope: { payload: string; payloadType: string; signatures: [{ sig: string }] };
      };
      expect(bundle.mediaType).toBe("application/vnd.dev.sigstore.bundle.v0.3+json");
      const { payload, payloadType, signatures } = bundle.dsseEnvelope;
      const body = Buffer.from(payload, "base64");
      const head = `DSSEv1 ${payloadType.length} ${payloadType} ${body.byteLength} `;
      const signature = Buffer.from(signatures[0].sig, "base64");
      expect(verify("sha256", Buffer.concat([Buffer.from(head), body]), publicKey, signature)).toBe(
        true,
      );
      const statement = JSON.parse(body.toString()) as {
        subject: readonly { name: string; digest: { sha256: string } }[];
      };
      expect(statement).toMatchObject({ _type: "https://in-toto.io/Statement/v1", predicateType });
      const found = new Set(
        statement.subject.map(({ name, digest }) => `${name} ${digest.sha256}`),
      );
      for (const [path, digest] of Object.entries(digests(release))) {
        if (/\.(?:tgz|vsix|cdx\.json)$|^registry.*\.zip$/.test(path)) {
          expect(found).toContain(`${basename(path)} ${digest}`);
        }
      }
    },
  );

  it("is not made of changes without a commit, nor of what its publisher has not filled in", () => {
    const checkout = temporaryFolder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
        cwd: checkout,
      });
    cpSync(join(root, "scripts"), join(checkout, "scripts"), { recursive: true });
    git("init", "--quiet");
    const script = join(checkout, "scripts/release.mjs");
    const made = () => spawnSync(process.execPath, [script], { encoding: "utf8" });
    const changed = made();
    expect(changed.status).toBe(1);
    expect(changed.stderr).toContain("The working tree has changes that are not in a commit.");

    for (const file of ["package.json", "SECURITY.md"])
      cpSync(join(root, file), join(checkout, file));
    writeFileSync(join(checkout, "README.md"), "Trivet is not on a package registry yet.\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "One");
    const { status, stderr } = made();
    expect(status).toBe(1);
    expect(stderr).toContain(
      "once it is published: README.md:1:Trivet is not on a package registry yet.",
    );
    expect(stderr).toContain('fills in: "repository" in package.json.');
  });
});

describe("the mirror of a release, on a web server", () => {
  const required = `
    terraform {
      required_providers {
        ids       = { source = "trivet.local/trivet/ids", version = "${version}" }
        workspace = { source = "trivet.local/trivet/workspace", version = "${version}" }
        signing   = { source = "trivet.local/trivet/signing", version = "${version}" }
      }
    }
    output "name" {
      value = provider::ids::endpoint_name("my-project", "us-central1-f", "edge")
    }`;

  async function terraform(module: string, env: NodeJS.ProcessEnv, ...args: string[]) {
    const all = { ...process.env, ...env };
    return await startCommand("terraform", args, { cwd: module, env: all }).ended;
  }

  function moduleFolder(): string {
    const module = temporaryFolder();
    writeFileSync(join(module, "main.tf"), required);
    return module;
  }

  it("installs the providers, which start and answer", async () => {
    const mirror = await serveMirror(join(release, "mirror"), "trivet.local/*/*");
    const module = moduleFolder();
    expect(await terraform(module, mirror.env, "init")).toMatchObject({ code: 0 });
    expect(mirror.requests).toContain("/trivet.local/trivet/signing/index.json");
    const planned = await terraform(module, mirror.env, "plan");
    expect(planned.output).toContain(
      'name = "projects/my-project/locations/us-central1-f/endpoints/edge"',
    );
    // Installed from the npm package, the providers have the checksum in the lock file.
    const lock = readFileSync(join(module, ".terraform.lock.hcl"), "utf8");
    const installed = join(
      projectWith(tarball(), []),
      "node_modules/@trivet/constructs/dist/providers",
    );
    const manifest = readFileSync(join(installed, "release.json"), "utf8");
    const { providers } = JSON.parse(manifest) as { providers: Record<string, string> };
    for (const hash of Object.values(providers)) expect(lock).toContain(`"${hash}"`);
  });

  it("is refused by terraform if a zip file was changed", async () => {
    const changed = join(temporaryFolder(), "mirror");
    cpSync(join(release, "mirror"), changed, { recursive: true });
    const ids = join(changed, "trivet.local/trivet/ids");
    for (const name of readdirSync(ids).filter((each) => each.endsWith(".zip"))) {
      const bytes = readFileSync(join(ids, name));
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      writeFileSync(join(ids, name), bytes);
    }
    const mirror = await serveMirror(changed, "trivet.local/*/*");
    const { code, output } = await terraform(moduleFolder(), mirror.env, "init");
    expect(code).toBe(1);
    expect(output.replaceAll(/[\s│]+/g, " ")).toMatch(
      /trivet\.local\/trivet\/ids.*(?:checksum|doesn't match)/,
    );
  });
});

describe("`trivet install` of a release", () => {
  let project = "";
  beforeEach(() => (project = projectWith(tarball(), [])));
  const providers = (...path: string[]) =>
    join(project, "node_modules/@trivet/constructs/dist/providers", ...path);

  function install(...args: string[]) {
    const main = join(project, "node_modules/@trivet/constructs/dist/src/cli/main.js");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [main, "install", "--dir", "mirror", ...args],
      { cwd: project, encoding: "utf8" },
    );
    return { status, stdout, stderr, installed: readdirSync(project).includes("mirror") };
  }

  const signed = () => [
    "--key",
    join(release, "release.pub"),
    "--attestation",
    attestation("provenance"),
  ];

  it("compares the packages with the checksums of the release", () => {
    const { status, stdout } = install("--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verified: { by: "checksums" } });
  });

  it("verifies who made the release", () => {
    const { status, stdout } = install("--json", ...signed());
    expect(status).toBe(0);
    const der = createPublicKey(readFileSync(keyFile)).export({ type: "spki", format: "der" });
    const keyId = execFileSync("sha256sum", { input: der }).toString().slice(0, 64);
    expect(JSON.parse(stdout)).toMatchObject({ verified: { by: "signature", keyId } });
  });

  it("refuses a changed package", () => {
    writeFileSync(providers("ids", "calls.cjs"), "process.exit(0);");
    for (const args of [[], signed()]) {
      const { status, stderr, installed } = install(...args);
      expect({ status, installed }).toEqual({ status: 1, installed: false });
      expect(stderr).toContain("The providers differ from the release");
      expect(stderr).toContain(`but ids ${version} must have h1:`);
    }
  });

  it("refuses a package without its checksums, or with an additional file", () => {
    writeFileSync(providers("ids", "more.cjs"), "");
    expect(install()).toMatchObject({ status: 1, installed: false });
    rmSync(providers("release.json"));
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toContain("release.json cannot be read");
  });

  it("refuses checksums that nobody signed, another key, and another attestation", () => {
    const other = join(project, "other.pub");
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(other, publicKey.export({ type: "spki", format: "pem" }));
    const wrongKey = install("--key", other, "--attestation", attestation("provenance"));
    expect(wrongKey).toMatchObject({ status: 1, installed: false });
    expect(wrongKey.stderr).toContain("the signature does not match the key and this content");

    const key = ["--key", join(release, "release.pub")];
    // It is signed, but says nothing about the packages.
    const wrongFile = install(...key, "--attestation", attestation("sbom"));
    expect(wrongFile).toMatchObject({ status: 1, installed: false });
    expect(install(...key, "--attestation", keyFile)).toMatchObject({ status: 1 });
    expect(install(...key)).toMatchObject({ status: 2, installed: false });

    const manifest = readFileSync(providers("release.json"), "utf8");
    writeFileSync(providers("release.json"), `${manifest} `);
    expect(install(...signed())).toMatchObject({ status: 1, installed: false });
  });
});
