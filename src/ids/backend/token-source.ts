/** Where the client gets its bearer token from. */
export interface TokenSource {
  /**
   * A token that is valid for some time yet.
   *
   * `rejected` is one that the server just refused: it is forgotten, and the same token comes back
   * only when there is no other to be had.
   */
  token(options: { readonly rejected?: string | undefined }): Promise<string>;
}
