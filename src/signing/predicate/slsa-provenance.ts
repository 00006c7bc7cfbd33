/** Something that was put into a build, or came out of it; it has a URI, a digest or its content. */
export interface SlsaResource {
  readonly uri?: string | undefined;
  /** By the name of the algorithm: `{ sha256: "…" }`, `{ gitCommit: "…" }`. */
  readonly digest?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
  readonly downloadLocation?: string | undefined;
  readonly mediaType?: string | undefined;
  /** The content itself, in base64. */
  readonly content?: string | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** What was built from what; a build that is done again needs nothing else. */
export interface SlsaBuildDefinition {
  /** URI that says how the parameters are to be read. */
  readonly buildType: string;
  /** What somebody outside of the build platform chose. */
  readonly externalParameters: object;
  /** What the build platform chose. */
  readonly internalParameters?: object | undefined;
  /** What was needed while building: sources, packages, base images. */
  readonly resolvedDependencies?: readonly SlsaResource[] | undefined;
}

/** Who builds. */
export interface SlsaBuilder {
  /** URI of the build platform. */
  readonly id: string;
  readonly builderDependencies?: readonly SlsaResource[] | undefined;
  /** Versions of its parts, by their names. */
  readonly version?: Readonly<Record<string, string>> | undefined;
}

/** What is known of the one run of a build. */
export interface SlsaRunDetails {
  readonly builder: SlsaBuilder;
  readonly metadata?:
    | {
        /** Names the run at its platform. */
        readonly invocationId?: string | undefined;
        /** As in RFC 3339, when it is a text. */
        readonly startedOn?: Date | string | undefined;
        /** As in RFC 3339, when it is a text. */
        readonly finishedOn?: Date | string | undefined;
      }
    | undefined;
  /** What came out of the run besides the image. */
  readonly byproducts?: readonly SlsaResource[] | undefined;
}

/** Where and how an image was built: the predicate of https://slsa.dev/provenance/v1. */
export interface SlsaProvenance {
  readonly buildDefinition: SlsaBuildDefinition;
  readonly runDetails: SlsaRunDetails;
}
