import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlobStore } from "./blob-store";
import type { ManifestStore } from "./manifest-store";
import type { Upload } from "./upload";

/** What the registry is made of. */
export interface RegistryState {
  readonly blobs: BlobStore;
  readonly manifests: ManifestStore;
  /** By the id in their address; a restart forgets them. */
  readonly uploads: Map<string, Upload>;
  readonly uploadFolder: string;
  readonly referrersApi: boolean;
  readonly maxBlobBytes: number;
  readonly maxManifestBytes: number;
  readonly log: (line: string) => void;
}

/** One request to one repository. */
export interface RegistryCall {
  readonly registry: RegistryState;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly repository: string;
  /** The last part of the path: a digest, a tag, the id of an upload. */
  readonly target: string;
}
