/** A file with the JSON of a predicate. */
export interface PredicateFile {
  /**
   * Path of the file, at most 32 MiB.
   *
   * Without `sha256` the file is read now, a relative path from where this program runs, and copied into
   * the stack. With it Terraform reads the file, a relative path from where it runs.
   */
  readonly path: string;
  /**
   * SHA-256 of the file, in lower-case hexadecimal.
   *
   * @default that of the file as it is now
   */
  readonly sha256?: string | undefined;
}
