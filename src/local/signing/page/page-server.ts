import { messageOf } from "../../../core/failure/failure";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { JsonFields, parseJson } from "../../../core/json/parse-json";
import { parseReference } from "../../../core/signing/oci/reference/image-name";
import { verdictLine } from "../../../core/signing/policy/verdict-text";
import { Certificate } from "../../../core/signing/sigstore/certificate/certificate";
import { keyIdOf, readPublicKey } from "../../../core/signing/sigstore/certificate/public-key";
import { readBundledEntry } from "../../../core/signing/sigstore/format/bundle";
import { readLogBody } from "../../../core/signing/sigstore/format/log-body";
import { type LogEntry, readLogAnswer } from "../../../core/signing/sigstore/format/log-entry";
import {
  readTrustedRoot,
  type TrustMaterial,
} from "../../../core/signing/sigstore/trust/trusted-root";
import { reportCertificate } from "../../../core/signing/tree/report-item";
import { reportLogEntry } from "../../../core/signing/tree/report-proofs";
import { certificateTexts, logText, treeFacts } from "../../../core/signing/tree/tree-text";
import { ImageVerifier, VerifyError } from "../../../core/signing/verify";
import { HttpFailure } from "../../service/answer";
import {
  type ExplainedFailure,
  jsonBody,
  type PageRoutes,
  type PageService,
  sendEvents,
  sendJson,
  startPageService,
} from "../../service/page/page-service";
import { readField, readTextField } from "../../service/request";
import type { StoredContent } from "../open-services";
import type { LocalSigning } from "../start-local-signing";
import type { LoggedEntry, LogName, LogPage, PageImage, PageOverview } from "./page-data";

interface SigningPageSettings {
  readonly services: LocalSigning;
  /** Registers a listener for changes of the stored content, and returns a function that removes it. */
  readonly onChange: (listener: () => void) => () => void;
  /** Files with policies. They are read again for each image. */
  readonly policies: readonly string[];
  /** Its `PATH` has the engines of policies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder with the compiled files of the page. @default the one beside this file */
  readonly files?: string | undefined;
}

export async function startSigningPage(settings: SigningPageSettings): Promise<PageService> {
  const { services, environment } = settings;
  const trustedRoot = services.files.trustedRoot;
  // The registry needs no credentials, and so none of the user's other variables.
  const verifier = new ImageVerifier({ trustedRoot, environment: { PATH: environment["PATH"] } });
  const page = await startPageService({
    files: settings.files ?? join(__dirname, "browser"),
    routes: await pageRoutes(settings, verifier),
    explain,
  });
  return {
    url: page.url,
    async close() {
      await page.close();
      await verifier.close();
    },
  };
}

async function pageRoutes(
  { services, policies, onChange }: SigningPageSettings,
  verifier: ImageVerifier,
): Promise<PageRoutes> {
  const trust = readTrustedRoot(await readFile(services.files.trustedRoot));
  return {
    "GET /api/overview": async (_, response) => {
      sendJson(response, await overview(services, policies));
    },
    "POST /api/image": async (request, response) => {
      const body = await jsonBody(request);
      const image = readTextField(body, "image");
      checkImage(image, services);
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const name = readTextField(body, "name");
      sendJson(response, await readImage(verifier, policies, image, name, gone.signal));
    },
    "POST /api/log": async (request, response) => {
      const body = await jsonBody(request);
      const before = readField(body, "before");
      const log = readTextField(body, "log") === "v2" ? "v2" : "v1";
      const end = typeof before === "number" && before >= 0 ? Math.floor(before) : undefined;
      sendJson(response, readLogPage(services.stored, log, trust, end));
    },
    "GET /api/events": (_, response) => {
      sendEvents(response, (send) => onChange(() => send({})));
    },
  };
}

async function overview(
  { stored, registryHost: registry }: LocalSigning,
  policies: readonly string[],
): Promise<PageOverview> {
  const images = await stored.images();
  return {
    registry,
    images: images.map(({ repository, digest, tags, isIndex }) => ({
      image: `${registry}/${repository}@${digest}`,
      repository,
      tags,
      isIndex,
    })),
    logs: (["v1", "v2"] as const).map((log) => ({ log, size: stored.logs[log].size() })),
    policies,
  };
}

/** Refuses images that are not in the local registry. */
function checkImage(image: string, { registryHost }: LocalSigning): void {
  const reference = parseReference(image);
  if ("problem" in reference) throw new HttpFailure(400, `The image ${reference.problem}.`);
  if (reference.registry !== registryHost) {
    throw new HttpFailure(403, `The image must be in the registry ${registryHost}.`);
  }
}

/** @param name has the tag, which patterns of policies may match; empty for an image without one */
async function readImage(
  verifier: ImageVerifier,
  policies: readonly string[],
  image: string,
  name: string,
  signal: AbortSignal,
): Promise<PageImage> {
  const tree = await verifier.tree({ image, signal });
  const read = { tree, facts: treeFacts(tree) };
  if (policies.length === 0) return read;
  try {
    const texts = await Promise.all(policies.map((file) => readFile(file, "utf8")));
    const request = { image: tree.image, signal, ...(name !== "" && { name }) };
    const verdict = await verifier.verify({ ...request, policy: texts.join("\n---\n") });
    return { ...read, verdict, said: verdictLine(verdict) };
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    return { ...read, problem: failure.message };
  }
}

function explain(failure: unknown): ExplainedFailure {
  const message = messageOf(failure);
  if (failure instanceof VerifyError) return { status: 422, message, cure: "" };
  return { status: 500, message: `This is a bug in the local services: ${message}`, cure: "" };
}

const pageSize = 25;

/**
 * Reads entries of a log as a verifier gets them, and checks the proof of each against the trusted root.
 *
 * @param before the index below which entries are read; by default, the size of the log
 */
function readLogPage(
  { logs }: StoredContent,
  log: LogName,
  trust: TrustMaterial,
  before?: number,
): LogPage {
  const size = logs[log].size();
  const end = Math.min(before ?? size, size);
  const indexes = Array.from({ length: Math.min(pageSize, end) }, (_, at) => end - 1 - at);
  const read = log === "v1" ? readLogAnswer : readTiledEntry;
  const entries = indexes.map((index) =>
    describe(read(Buffer.from(JSON.stringify(logs[log].entry(index)))), trust),
  );
  return { log, size, entries };
}

const readTiledEntry = (answer: Buffer): LogEntry =>
  readBundledEntry(JsonFields.of(parseJson(answer), "the entry"));

function describe(entry: LogEntry, trust: TrustMaterial): LoggedEntry {
  const { content, verifierPem } = readLogBody(entry.body);
  const report = reportLogEntry(entry, trust);
  const signer = signerOf(verifierPem);
  const { certificate } = signer;
  return {
    ...report,
    ...signer,
    content: `${content.algorithm}:${content.value}`,
    facts: [logText(report), ...(certificate === undefined ? [] : certificateTexts(certificate))],
  };
}

function signerOf(pem: string): Pick<LoggedEntry, "certificate" | "key"> {
  const [certificate] = Certificate.fromPem(pem);
  return certificate === undefined
    ? { key: keyIdOf(readPublicKey(pem)).toString("hex") }
    : { certificate: reportCertificate(certificate) };
}
