import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Certificate, oid } from "../../../../../src/core/signing/sigstore/certificate/certificate";
import { DerTag, toPem } from "../../../../../src/core/signing/sigstore/der/der-element";
import {
  derContext,
  derContextPrimitive,
  derElement,
  derObjectIdentifier,
  derSequence,
  derSet,
  derUtf8String,
} from "../../../../../src/core/signing/sigstore/der/write-der";
import {
  findIssuer,
  issuerInChain,
  IssuerChecks,
} from "../../../../../src/core/signing/sigstore/verification/certificate-chain";
import { SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import {
  writeCertificate,
  writeName,
  authorityExtension,
  keyUsageExtension,
  purposeExtension,
  writeExtension,
} from "../../../../../src/local/signing/certificate/write-certificate";

const now = new Date("2026-03-01T12:00:00Z");
const hours = (count: number): Date => new Date(now.getTime() + count * 3_600_000);

const email = (text: string): Buffer => derContextPrimitive(1, Buffer.from(text));
const dns = (text: string): Buffer => derContextPrimitive(2, Buffer.from(text));
const uri = (text: string): Buffer => derContextPrimitive(6, Buffer.from(text));
const address = (...bytes: readonly number[]): Buffer =>
  derContextPrimitive(7, Buffer.of(...bytes));
const directory = (name: Buffer): Buffer => derContext(4, name);
const user = derContext(
  0,
  derObjectIdentifier("1.3.6.1.4.1.57264.1.7"),
  derContext(0, derUtf8String("x")),
);

const constraints = (
  {
    permitted = [],
    excluded = [],
  }: { permitted?: readonly Buffer[]; excluded?: readonly Buffer[] },
  isCritical = false,
): Buffer =>
  writeExtension(
    oid.nameConstraints,
    derSequence(
      ...(permitted.length > 0
        ? [derContext(0, ...permitted.map((each) => derSequence(each)))]
        : []),
      ...(excluded.length > 0 ? [derContext(1, ...excluded.map((each) => derSequence(each)))] : []),
    ),
    isCritical,
  );

/** A certificate authority below the root, or the root itself. */
interface AuthorityProps {
  readonly extensions?: readonly Buffer[];
  readonly basic?: Buffer;
  readonly usage?: Buffer;
  readonly subject?: Buffer;
  readonly notAfter?: Date;
}

interface Row {
  readonly root?: AuthorityProps;
  readonly subs?: readonly AuthorityProps[];
  readonly names?: readonly Buffer[];
  readonly subject?: Buffer;
  readonly is: "accepted" | "refused";
  /** OpenSSL's answer, where we are stricter. */
  readonly openssl?: "accepted";
}

const common = { notBefore: hours(-1), serial: Buffer.of(7) };
const organization = (text: string): Buffer => writeName(text);
const withEmail = (text: string): Buffer =>
  derSequence(
    derSet(
      derSequence(
        derObjectIdentifier("1.2.840.113549.1.9.1"),
        derElement(DerTag.ia5String, Buffer.from(text)),
      ),
    ),
  );

function chainOf({
  root = {},
  subs = [{}],
  names = [email("a@example.com")],
  subject = writeName(),
}: Row) {
  const authorities: { name: Buffer; key: SigningKey; der: Buffer }[] = [];
  for (const [index, props] of [root, ...subs].entries()) {
    const above = authorities.at(-1);
    const key = SigningKey.generate();
    const name = props.subject ?? writeName("test", `authority ${index}`);
    const extensions = [
      props.basic ?? authorityExtension(),
      props.usage ?? keyUsageExtension("keyCertSign"),
      ...(props.extensions ?? []),
    ];
    const body = {
      ...common,
      subject: name,
      spki: key.spki,
      extensions,
      issuer: above?.name ?? name,
      notAfter: props.notAfter ?? hours(1),
    };
    authorities.push({ name, key, der: writeCertificate(body, above?.key ?? key) });
  }
  const issuer = authorities.at(-1);
  if (issuer === undefined) throw new Error("no authority");
  const key = SigningKey.generate();
  const extensions = [
    keyUsageExtension("digitalSignature"),
    purposeExtension("codeSigning"),
    ...(names.length > 0
      ? [writeExtension(oid.subjectAlternativeName, derSequence(...names), true)]
      : []),
  ];
  const leaf = writeCertificate(
    { ...common, issuer: issuer.name, subject, notAfter: hours(1), spki: key.spki, extensions },
    issuer.key,
  );
  const [anchor, ...presented] = authorities.map(({ der }) => der);
  if (anchor === undefined) throw new Error("no root");
  return { leaf, anchor, presented: presented.toReversed() };
}

const constrained = (
  given: Parameters<typeof constraints>[0],
  names: readonly Buffer[],
  is: Row["is"],
  more: Partial<Row> = {},
): Row => ({ subs: [{ extensions: [constraints(given)] }], names, is, ...more });

const permits = (name: Buffer) => ({ permitted: [name] });
const excludes = (name: Buffer) => ({ excluded: [name] });
const stricter = { openssl: "accepted" } as const;

// OpenSSL gives each of these answers, except where the row says what it answers instead.
const rows: Readonly<Record<string, Row>> = {
  "no constraints": { is: "accepted" },
  "a host of mailboxes: a mailbox there": constrained(
    permits(email("example.com")),
    [email("a@example.com")],
    "accepted",
  ),
  "a host of mailboxes, in another case": constrained(
    permits(email("EXAMPLE.com")),
    [email("a@example.COM")],
    "accepted",
  ),
  "a host of mailboxes: a mailbox elsewhere": constrained(
    permits(email("example.com")),
    [email("a@evil.com")],
    "refused",
  ),
  "a host of mailboxes: one at a host below": constrained(
    permits(email("example.com")),
    [email("a@x.example.com")],
    "refused",
  ),
  "a host of mailboxes: one at a host that ends the same": constrained(
    permits(email("example.com")),
    [email("a@notexample.com")],
    "refused",
  ),
  "hosts below: a mailbox there": constrained(
    permits(email(".example.com")),
    [email("a@x.example.com")],
    "accepted",
  ),
  "hosts below: a mailbox at the host itself": constrained(
    permits(email(".example.com")),
    [email("a@example.com")],
    "refused",
  ),
  "one mailbox: it": constrained(
    permits(email("a@example.com")),
    [email("a@example.com")],
    "accepted",
  ),
  "one mailbox: another": constrained(
    permits(email("a@example.com")),
    [email("b@example.com")],
    "refused",
  ),
  "one mailbox: the same in another case": constrained(
    permits(email("a@example.com")),
    [email("A@example.com")],
    "refused",
  ),
  "mailboxes: one of two names elsewhere": constrained(
    permits(email("example.com")),
    [email("a@example.com"), email("a@evil.com")],
    "refused",
  ),
  "mailboxes: a name with two hosts": constrained(
    permits(email("example.com")),
    [email("a@evil.com@example.com")],
    "refused",
    stricter,
  ),
  "an excluded host of mailboxes: one there": constrained(
    excludes(email("example.com")),
    [email("a@example.com")],
    "refused",
  ),
  "an excluded host of mailboxes: one elsewhere": constrained(
    excludes(email("example.com")),
    [email("a@other.com")],
    "accepted",
  ),
  "a permitted host with an excluded mailbox": constrained(
    { permitted: [email("example.com")], excluded: [email("root@example.com")] },
    [email("root@example.com")],
    "refused",
  ),
  "mailboxes: a URI": constrained(
    permits(email("example.com")),
    [uri("https://evil.com/x")],
    "accepted",
  ),
  "mailboxes: one in the subject": constrained(
    permits(email("example.com")),
    [uri("https://x.com/")],
    "refused",
    { subject: withEmail("a@evil.com") },
  ),
  "mailboxes: a permitted one in the subject": constrained(
    permits(email("example.com")),
    [uri("https://x.com/")],
    "accepted",
    { subject: withEmail("a@example.com") },
  ),
  "a host of URIs: one there": constrained(
    permits(uri("example.com")),
    [uri("https://example.com/a/b@refs")],
    "accepted",
  ),
  "a host of URIs: one there with a port": constrained(
    permits(uri("example.com")),
    [uri("https://example.com:8443/a")],
    "accepted",
  ),
  "a host of URIs: one elsewhere": constrained(
    permits(uri("example.com")),
    [uri("https://evil.com/example.com")],
    "refused",
  ),
  "a host of URIs: one below": constrained(
    permits(uri("example.com")),
    [uri("https://x.example.com/")],
    "refused",
  ),
  "hosts of URIs below: one there": constrained(
    permits(uri(".example.com")),
    [uri("https://x.example.com/")],
    "accepted",
  ),
  "hosts of URIs below: the host itself": constrained(
    permits(uri(".example.com")),
    [uri("https://example.com/")],
    "refused",
  ),
  "a host of URIs: one that names a user": constrained(
    permits(uri("example.com")),
    [uri("https://example.com:x@evil.com/")],
    "refused",
    stricter,
  ),
  "a host of URIs: one without a host": constrained(
    permits(uri("example.com")),
    [uri("urn:example.com")],
    "refused",
  ),
  "a host of URIs: one without a slash after the host": constrained(
    permits(uri("example.com")),
    [uri("https://example.com?x")],
    "refused",
  ),
  "an excluded host of URIs: one there": constrained(
    excludes(uri("example.com")),
    [uri("https://example.com/")],
    "refused",
  ),
  "an excluded host of URIs: one without a host": constrained(
    excludes(uri("example.com")),
    [uri("urn:x")],
    "refused",
  ),
  "an excluded host of URIs: one elsewhere": constrained(
    excludes(uri("example.com")),
    [uri("https://other.com/")],
    "accepted",
  ),
  "a DNS name: it": constrained(permits(dns("example.com")), [dns("example.com")], "accepted"),
  "a DNS name: one below": constrained(
    permits(dns("example.com")),
    [dns("a.b.EXAMPLE.com")],
    "accepted",
  ),
  "a DNS name: one that ends the same": constrained(
    permits(dns("example.com")),
    [dns("notexample.com")],
    "refused",
  ),
  "DNS names below: one there": constrained(
    permits(dns(".example.com")),
    [dns("a.example.com")],
    "accepted",
  ),
  "DNS names below: the name itself": constrained(
    permits(dns(".example.com")),
    [dns("example.com")],
    "refused",
  ),
  "an excluded DNS name: one below": constrained(
    excludes(dns("example.com")),
    [dns("a.example.com")],
    "refused",
  ),
  "an excluded DNS name: a pattern that contains it": constrained(
    excludes(dns("a.example.com")),
    [dns("*.example.com")],
    "refused",
    stricter,
  ),
  "all DNS names excluded: one": constrained(excludes(dns("")), [dns("a.example.com")], "refused"),
  "all DNS names excluded: a mailbox": constrained(
    excludes(dns("")),
    [email("a@example.com")],
    "accepted",
  ),
  "a directory name: it": constrained(
    permits(directory(organization("a"))),
    [email("a@b.c")],
    "accepted",
    { subject: organization("a") },
  ),
  "a directory name: one below": constrained(
    permits(directory(organization("a"))),
    [email("a@b.c")],
    "accepted",
    { subject: writeName("a", "b") },
  ),
  "a directory name: another": constrained(
    permits(directory(organization("a"))),
    [email("a@b.c")],
    "refused",
    { subject: organization("b") },
  ),
  "a directory name: an empty subject": constrained(
    permits(directory(organization("a"))),
    [email("a@b.c")],
    "accepted",
  ),
  "an excluded directory name: it": constrained(
    excludes(directory(organization("a"))),
    [email("a@b.c")],
    "refused",
    { subject: organization("a") },
  ),
  "an excluded directory name: another": constrained(
    excludes(directory(organization("a"))),
    [email("a@b.c")],
    "refused",
    { subject: organization("b"), ...stricter },
  ),
  "addresses: one elsewhere": constrained(
    permits(address(10, 0, 0, 0, 255, 0, 0, 0)),
    [address(11, 0, 0, 1)],
    "refused",
  ),
  "addresses: one there": constrained(
    permits(address(10, 0, 0, 0, 255, 0, 0, 0)),
    [address(10, 0, 0, 1)],
    "refused",
    stricter,
  ),
  "addresses: a mailbox": constrained(
    permits(address(10, 0, 0, 0, 255, 0, 0, 0)),
    [email("a@b.c")],
    "accepted",
  ),
  "names of users: one": constrained(permits(user), [user], "refused"),
  "critical: a mailbox elsewhere": {
    subs: [{ extensions: [constraints(permits(email("example.com")), true)] }],
    names: [email("a@evil.com")],
    is: "refused",
  },
  "critical: a mailbox there": {
    subs: [{ extensions: [constraints(permits(email("example.com")), true)] }],
    names: [email("a@example.com")],
    is: "accepted",
  },
  "of the root: a mailbox elsewhere": {
    root: { extensions: [constraints(permits(email("example.com")))] },
    names: [email("a@evil.com")],
    is: "refused",
  },
  "two levels up: a mailbox elsewhere": {
    subs: [{ extensions: [constraints(permits(email("example.com")))] }, {}],
    names: [email("a@evil.com")],
    is: "refused",
  },
  "two levels up: an authority with another name": {
    subs: [
      { extensions: [constraints(permits(directory(organization("a"))))] },
      { subject: organization("b") },
    ],
    is: "refused",
  },
  "with a distance": {
    subs: [
      {
        extensions: [
          writeExtension(
            oid.nameConstraints,
            derSequence(
              derContext(
                0,
                derSequence(email("example.com"), derContextPrimitive(0, Buffer.of(1))),
              ),
            ),
          ),
        ],
      },
    ],
    is: "refused",
  },
  empty: {
    subs: [{ extensions: [writeExtension(oid.nameConstraints, derSequence())] }],
    is: "refused",
    ...stricter,
  },

  "a path length that is kept": {
    root: { basic: authorityExtension(1) },
    subs: [{ basic: authorityExtension(0) }],
    is: "accepted",
  },
  "a path length that is exceeded": { root: { basic: authorityExtension(0) }, is: "refused" },
  "a path length that is exceeded further down": {
    subs: [{ basic: authorityExtension(0) }, {}],
    is: "refused",
  },
  "an authority that is none": {
    subs: [{ basic: writeExtension(oid.basicConstraints, derSequence(), true) }],
    is: "refused",
  },
  "an authority without basic constraints": {
    subs: [{ basic: writeExtension("1.2.3.4", Buffer.of(5, 0)) }],
    is: "refused",
  },
  "an authority that may not sign certificates": {
    subs: [{ usage: keyUsageExtension("digitalSignature") }],
    is: "refused",
  },
  "an authority that is over": { subs: [{ notAfter: hours(-0.5) }], is: "refused" },
  "an authority with an unknown critical extension": {
    subs: [{ extensions: [writeExtension("1.2.3.4", Buffer.of(5, 0), true)] }],
    is: "refused",
  },
  "an authority with an unknown extension": {
    subs: [{ extensions: [writeExtension("1.2.3.4", Buffer.of(5, 0))] }],
    is: "accepted",
  },
};

const parsed = (row: Row) => {
  const { leaf, anchor, presented } = chainOf(row);
  return {
    leaf: new Certificate(leaf),
    authorities: [{ anchors: [new Certificate(anchor)], intermediates: [], validity: {} }],
    presented: presented.map((der) => new Certificate(der)),
    time: now,
    purpose: oid.codeSigning,
    checks: new IssuerChecks(),
  };
};

function ours(row: Row): Row["is"] {
  try {
    return findIssuer(parsed(row)) === undefined ? "refused" : "accepted";
  } catch {
    return "refused";
  }
}

async function theirs(row: Row): Promise<Row["is"]> {
  const folder = await mkdtemp(join(tmpdir(), "certificate-path-"));
  const { leaf, anchor, presented } = chainOf(row);
  const file = async (name: string, ...certificates: readonly Buffer[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, certificates.map((der) => toPem("CERTIFICATE", der)).join(""));
    return path;
  };
  const paths = [
    await file("root", anchor),
    await file("subs", ...presented),
    await file("leaf", leaf),
  ];
  const [root = "", subs = "", signer = ""] = paths;
  const untrusted = presented.length > 0 ? ["-untrusted", subs] : [];
  const time = ["-attime", String(now.getTime() / 1000)];
  try {
    execFileSync("openssl", ["verify", "-CAfile", root, ...untrusted, ...time, signer], {
      stdio: "pipe",
    });
    return "accepted";
  } catch {
    return "refused";
  } finally {
    await rm(folder, { recursive: true });
  }
}

const hasOpenSsl = spawnSync("openssl", ["version"]).status === 0;

describe("a chain of certificates with", () => {
  test.each(Object.entries(rows))("%s", async (_, row) => {
    expect(ours(row)).toBe(row.is);
    if (hasOpenSsl) expect(await theirs(row)).toBe(row.openssl ?? row.is);
  });

  test("constraints is refused with the name that they do not permit", () => {
    const row = rows["a host of mailboxes: a mailbox elsewhere"];
    if (row === undefined) throw new Error("no row");
    expect(() => issuerInChain(parsed(row))).toThrow(
      "the certificate has no chain to a certificate authority that was trusted at that time: " +
        'the name constraints of a certificate authority do not permit "a@evil.com"',
    );
  });
});
