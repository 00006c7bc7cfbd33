import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlobStore, ManifestStore } from "./manifest-store";
import type { RegistryBehavior } from "./quirks";
import type { OpenUploads } from "./uploads";

export interface RegistryState {
  readonly blobs: BlobStore;
  readonly manifests: ManifestStore;
  readonly uploads: OpenUploads;
  readonly behavior: RegistryBehavior;
  readonly maxManifestBytes: number;
  readonly log: (line: string) => void;
}

export interface RegistryCall {
  readonly registry: RegistryState;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly repository: string;
  /** The last part of the path: a digest, a tag, or the ID of an upload. */
  readonly target: string;
}
