import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { privateKeysIn } from "./private-keys";

const root = resolve(__dirname, "../..");

/** Files that may contain a key, with the digest of what they contain, and why they may. */
const exceptions: readonly (readonly [file: string, digest: string, reason: string])[] = [
  [
    "test/core/signing/sigstore/key/fixtures/cosign.key",
    "855b199da2ef184469c7f593dcf8a6624221df53a3e70fe28a103026f3bc333a",
    "written by cosign itself, which a test cannot do: shows that its files can be read",
  ],
];

test("no file of the repository contains a private key", () => {
  const found = filesOfRepository().flatMap((file) => {
    const bytes = readFileSync(join(root, file));
    const lines = privateKeysIn(bytes.toString("latin1"));
    const digest = createHash("sha256").update(bytes).digest("hex");
    const isException = exceptions.some(([path, known]) => path === file && known === digest);
    return lines.filter(() => !isException).map((line) => `${file}:${line}`);
  });
  expect(found).toEqual([]);
});

test.each(exceptions)("%s is there, and contains one", (file) => {
  expect(filesOfRepository()).toContain(file);
  expect(privateKeysIn(readFileSync(join(root, file), "latin1"))).toHaveLength(1);
});

/** What is tracked, and what `git add` would add. */
function filesOfRepository(): readonly string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  return listed
    .split("\0")
    .filter((file) => lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile() ?? false);
}

describe("a private key is found", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const encrypted = privateKey.export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "secret",
  } as const);
  const jwk = privateKey.export({ format: "jwk" });
  const labelled = (label: string) => pkcs8.replaceAll("PRIVATE KEY", label);

  test.each([
    ["in PKCS #8", pkcs8],
    ["in encrypted PKCS #8", encrypted.toString()],
    ["in SEC 1", privateKey.export({ type: "sec1", format: "pem" }).toString()],
    ["in PKCS #1", rsa.export({ type: "pkcs1", format: "pem" }).toString()],
    ["of OpenSSH", labelled("OPENSSH PRIVATE KEY")],
    ["of cosign", labelled("ENCRYPTED SIGSTORE PRIVATE KEY")],
    ["of an older cosign", labelled("ENCRYPTED COSIGN PRIVATE KEY")],
    ["of PGP", labelled("PGP PRIVATE KEY BLOCK")],
    ["of ssh.com", ["----", "BEGIN SSH2 ENCRYPTED PRIVATE KEY", "----"].join(" ")],
    ["of PuTTY", ["PuTTY", "User", "Key", "File", "3: ssh-ed25519"].join("-")],
    ["of a service account", JSON.stringify({ private_key: pkcs8 })],
    ["as a JSON Web Key", JSON.stringify(jwk)],
    ["as a JSON Web Key over several lines", JSON.stringify(jwk, undefined, 2)],
    ["as a JSON Web Key in a string", JSON.stringify(JSON.stringify(jwk))],
    ["as an object of TypeScript", `{ kty: "OKP", d: '${String(jwk.d)}' }`],
    ["in base64", Buffer.from(pkcs8).toString("base64")],
    ["in base64 with another label", Buffer.from(labelled("EC PRIVATE KEY")).toString("base64")],
  ])("%s", (_, text) => {
    expect(privateKeysIn(`\n\n${text}`)).not.toEqual([]);
  });

  test("on each line where one begins", () => {
    const [first, second] = [
      pkcs8.trim().split("\n").length,
      Buffer.from(pkcs8).toString("base64"),
    ];
    expect(privateKeysIn(`a\n${pkcs8}${second}\n`)).toEqual([2, 2 + first]);
  });

  test.each([
    ["a public key", pkcs8.replaceAll("PRIVATE", "PUBLIC")],
    ["a certificate in base64", Buffer.from(labelled("CERTIFICATE")).toString("base64")],
    ["a public JSON Web Key", JSON.stringify({ ...jwk, d: undefined })],
    ["a pattern for keys", "/-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----/"],
  ])("but %s is none", (_, text) => {
    expect(privateKeysIn(text)).toEqual([]);
  });
});
