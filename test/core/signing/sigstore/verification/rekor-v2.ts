import { X509Certificate, randomBytes } from "node:crypto";
import { NoteKey, SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import { MerkleTree, leafHash } from "../../../../../src/local/signing/merkle/merkle-tree";
import type { Bundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import {
  type LogEntry,
  proposeRekorV2,
  type RekorV2Proposal,
} from "../../../../../src/core/signing/sigstore/format/log-entry";
import { readTrustedRoot } from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import type { VerificationRules } from "../../../../../src/core/signing/sigstore/verification/verification";
import { bundleParts, rulesOf, type ArtefactProps } from "./artefacts";
import { signedAt, type Authorities, type Signer } from "./authorities";
import {
  inTotoPayloadType,
  preAuthEncoding,
} from "../../../../../src/core/signing/sigstore/format/statement";

export const origin = "log2.example.com";

/** A log of version 2 in memory, signed with Ed25519 or ECDSA. */
export class RekorV2Log {
  readonly #tree = new MerkleTree();
  readonly #ecdsa: SigningKey | undefined;
  readonly #ed25519: NoteKey;

  constructor(
    readonly name = origin,
    kind: "ed25519" | "ecdsa" = "ed25519",
  ) {
    this.#ed25519 = NoteKey.generate(name);
    this.#ecdsa = kind === "ecdsa" ? SigningKey.generate() : undefined;
    for (let index = 0; index < 5; index += 1) this.#tree.append(leafHash(randomBytes(8)));
  }

  get id(): Buffer {
    return this.#ecdsa?.id ?? this.#ed25519.id;
  }

  get publicKeyPem(): string {
    const base64 = (this.#ecdsa?.spki ?? this.#ed25519.spki).toString("base64");
    return `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`;
  }

  /** Logs an entry, some others after it, and proves it. */
  log(body: Buffer): LogEntry {
    const index = this.#tree.append(leafHash(body));
    for (let more = 0; more < 3; more += 1) this.#tree.append(leafHash(randomBytes(8)));
    const { size: treeSize } = this.#tree;
    const rootHash = this.#tree.root();
    return {
      logId: this.id,
      logIndex: index,
      integratedTime: 0,
      body,
      signedEntryTimestamp: undefined,
      inclusionProof: {
        logIndex: index,
        treeSize,
        rootHash,
        hashes: this.#tree.inclusionProof(index),
        checkpoint: this.checkpoint(treeSize, rootHash),
      },
    };
  }

  checkpoint(size: number, root: Buffer, name = this.name): string {
    const text = `${name}\n${size}\n${root.toString("base64")}\n`;
    if (this.#ecdsa === undefined) return this.#ed25519.sign(text);
    const bytes = Buffer.concat([this.id.subarray(0, 4), this.#ecdsa.sign(Buffer.from(text))]);
    return `${text}\n\u2014 ${name} ${bytes.toString("base64")}\n`;
  }

  /** As it is listed in `trusted_root.json`. */
  trusted(validFor: object = { start: "2020-01-01T00:00:00Z" }) {
    const key = this.#ecdsa ?? this.#ed25519;
    return {
      baseUrl: `https://${this.name}`,
      hashAlgorithm: "SHA2_256",
      publicKey: {
        rawBytes: key.spki.toString("base64"),
        keyDetails: this.#ecdsa ? "PKIX_ECDSA_P256_SHA_256" : "PKIX_ED25519",
        validFor,
      },
      logId: { keyId: this.id.toString("base64") },
    };
  }
}

/** The trusted root of the authorities, with logs of version 2 beside theirs. */
export function rootWith(authorities: Authorities, ...logs: readonly { trusted(): object }[]) {
  const root = authorities.trustedRoot();
  return { ...root, tlogs: [...root.tlogs, ...logs.map((log) => log.trusted())] };
}

/** Rules that trust all of it. */
export function rulesWith(
  authorities: Authorities,
  root: object,
  changes: Partial<VerificationRules> = {},
): VerificationRules {
  return rulesOf(authorities, { trust: readTrustedRoot(JSON.stringify(root)), ...changes });
}

/** What is proposed to the log for signed bytes. */
export function proposal(
  bytes: Buffer,
  signature: Buffer,
  { der }: Pick<Signer, "der">,
): RekorV2Proposal {
  const key = new X509Certificate(der).publicKey;
  return { bytes, signature, verifier: { certificate: der }, key };
}

interface ProposedRekorV2 {
  readonly hashedRekordRequestV002: {
    readonly digest: string;
    readonly signature: {
      readonly content: string;
      readonly verifier: { readonly keyDetails: string };
    };
  };
}

/** The entry as Rekor v2 stores what is proposed: canonical JSON (RFC 8785), so the members are in this order. */
export function storedRekorV2(proposed: RekorV2Proposal): Buffer {
  const { digest, signature } = (proposeRekorV2(proposed) as ProposedRekorV2)
    .hashedRekordRequestV002;
  const { keyDetails, ...key } = signature.verifier;
  const entry = {
    data: { algorithm: "SHA2_256", digest },
    signature: { content: signature.content, verifier: { keyDetails, ...key } },
  };
  const spec = { hashedRekordV002: entry };
  return Buffer.from(JSON.stringify({ apiVersion: "0.0.2", kind: "hashedrekord", spec }));
}

/** A bundle whose entries are in logs of version 2. */
export function bundleV2(
  authorities: Authorities,
  logs: readonly RekorV2Log[],
  props: ArtefactProps = {},
): Bundle {
  const signer = props.signer ?? authorities.signer();
  const all = { stampedAt: signedAt, ...props, signer };
  const parts = bundleParts(authorities, "attestation", all);
  const { payload, signature } = parts.envelope;
  const bytes = preAuthEncoding(inTotoPayloadType, payload);
  const body = storedRekorV2(proposal(bytes, signature, signer));
  return {
    ...parts,
    logEntries: logs.map((log) => ({ ...log.log(body), kind: "hashedrekord/0.0.2" })),
  };
}
