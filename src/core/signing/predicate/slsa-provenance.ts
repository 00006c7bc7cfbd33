/**
 * An input or output of a build, with at least one of URI, digest and content.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#ResourceDescriptor
 */
export interface SlsaResource {
  readonly uri?: string | undefined;
  /** Digests by algorithm: `{ sha256: "…" }`, `{ gitCommit: "…" }`. */
  readonly digest?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
  readonly downloadLocation?: string | undefined;
  readonly mediaType?: string | undefined;
  /** The content itself, in base64. */
  readonly content?: string | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The inputs of a build: everything needed to run it again.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#BuildDefinition
 */
export interface SlsaBuildDefinition {
  /** URI that defines the meaning of the parameters. */
  readonly buildType: string;
  /** Parameters under external control, such as those the user set. */
  readonly externalParameters: object;
  /** Parameters that the build platform set. */
  readonly internalParameters?: object | undefined;
  /** The sources, packages and base images that the build used. */
  readonly resolvedDependencies?: readonly SlsaResource[] | undefined;
}

/**
 * The build platform.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#Builder
 */
export interface SlsaBuilder {
  /** URI of the build platform. */
  readonly id: string;
  readonly builderDependencies?: readonly SlsaResource[] | undefined;
  /** Versions of the platform's components, by name. */
  readonly version?: Readonly<Record<string, string>> | undefined;
}

/**
 * Details of one run of the build.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#RunDetails
 */
export interface SlsaRunDetails {
  readonly builder: SlsaBuilder;
  readonly metadata?:
    | {
        /** Identifies the run on the build platform. */
        readonly invocationId?: string | undefined;
        /** A string must be in the format of RFC 3339. */
        readonly startedOn?: Date | string | undefined;
        /** A string must be in the format of RFC 3339. */
        readonly finishedOn?: Date | string | undefined;
      }
    | undefined;
  /** Other outputs of the run, in addition to the image. */
  readonly byproducts?: readonly SlsaResource[] | undefined;
}

/**
 * The place and the way in which an image was built: the predicate of https://slsa.dev/provenance/v1.
 *
 * @see https://slsa.dev/spec/v1.0/provenance
 */
export interface SlsaProvenance {
  readonly buildDefinition: SlsaBuildDefinition;
  readonly runDetails: SlsaRunDetails;
}
