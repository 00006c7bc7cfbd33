import type { Digest } from "../oci/reference/digest";

/** What has happened to one piece of a copy. */
export interface CopyStep {
  readonly kind: "blob" | "manifest";
  readonly digest: Digest;
  readonly size: number;
  /** "present": it was there. "mounted": the registry made it ours. "sent": its bytes went through us. */
  readonly how: "present" | "mounted" | "sent";
  /** The tag that now names it, if one does. */
  readonly tag?: string | undefined;
}

/** Counts of a whole copy. */
export interface CopyCounts {
  readonly manifests: number;
  readonly blobs: number;
  /** Bytes of blobs that went through us. */
  readonly sentBytes: number;
  readonly mounted: number;
  readonly present: number;
}

export function createCounter(report: (step: CopyStep) => void) {
  const counts = { manifests: 0, blobs: 0, sentBytes: 0, mounted: 0, present: 0 };
  return {
    step(step: CopyStep): void {
      if (step.kind === "manifest") counts.manifests++;
      else counts.blobs++;
      if (step.kind === "blob" && step.how === "sent") counts.sentBytes += step.size;
      if (step.how === "mounted") counts.mounted++;
      if (step.how === "present") counts.present++;
      report(step);
    },
    counts: (): CopyCounts => ({ ...counts }),
  };
}

export type CopyCounter = ReturnType<typeof createCounter>;
