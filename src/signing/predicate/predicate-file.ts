/** A file with the JSON of a predicate. */
export interface PredicateFile {
  /**
   * Path of the file, which may have at most 32 MiB.
   *
   * Without `sha256`, the construct reads the file and copies it into the stack; a relative path is resolved
   * against the working directory of this program. With `sha256`, Terraform reads the file; a relative path
   * is resolved against the directory in which Terraform runs.
   */
  readonly path: string;
  /**
   * SHA-256 of the file, in lowercase hexadecimal.
   *
   * @default the SHA-256 of the file's current content
   */
  readonly sha256?: string | undefined;
}
