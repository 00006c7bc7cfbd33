import { createHttpClient } from "../../http/client";
import { bundleSigner, keyOnlySigner } from "../sign/signature-run";
import { writeBundle } from "../sigstore/format/bundle";
import { openKey } from "../sigstore/key/open-key";
import {
  fileStatement,
  inTotoPayloadType,
  type NewPredicate,
  type NewSubject,
  preAuthEncoding,
} from "../sigstore/format/statement";

interface FileAttester {
  /** The key that verifies them, in PEM. */
  readonly publicKeyPem: string;
  /**
   * Signs a statement about files as a Sigstore bundle. It is written to no log, and has no timestamp.
   *
   * @throws KeyError
   */
  attest(files: readonly NewSubject[], predicate: NewPredicate): Promise<Buffer>;
}

/** The longest that a key-management service may take for everything. */
const maxWaitMs = 120_000;

/**
 * Opens a key to attest files with.
 *
 * @param reference a path, `env://NAME`, or the URI of a key in a key-management service
 * @throws KeyError
 */
export async function openFileAttester(
  reference: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FileAttester> {
  const http = createHttpClient({ userAgent: "trivet-release" });
  const context = { signal: AbortSignal.timeout(maxWaitMs), deadline: Date.now() + maxWaitMs };
  const settings = { http, env, redact: () => undefined };
  const signer = keyOnlySigner(await openKey(reference, settings, context));
  return {
    publicKeyPem: signer.verifierPem,
    async attest(files, predicate) {
      const payload = fileStatement(files, predicate);
      const signature = await signer.sign(preAuthEncoding(inTotoPayloadType, payload), context);
      return writeBundle({
        envelope: { payloadType: inTotoPayloadType, payload, signature },
        signer: bundleSigner(signer),
        logEntries: [],
        timestamps: [],
      });
    },
  };
}
