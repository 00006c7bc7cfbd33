import type { Digest } from "../oci/reference/digest";

/** One blob or manifest that was processed. */
export interface CopyStep {
  readonly kind: "blob" | "manifest";
  readonly digest: Digest;
  readonly size: number;
  /**
   * "present": it was already in the destination. "mounted": the registry mounted it from the source
   * repository. "sent": it was downloaded and uploaded.
   */
  readonly how: "present" | "mounted" | "sent";
  /** The tag that now refers to it, if any. */
  readonly tag?: string | undefined;
}

/** Totals of a copy. */
export interface CopyCounts {
  readonly manifests: number;
  readonly blobs: number;
  /** Bytes of the blobs that were downloaded and uploaded. */
  readonly sentBytes: number;
  readonly mounted: number;
  readonly present: number;
}

/** Creates a counter that reports each step and adds up the totals. */
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

/** Counts the steps of a copy. */
export type CopyCounter = ReturnType<typeof createCounter>;
