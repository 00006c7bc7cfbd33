const maxLength = 4096;

/** Writes a text as the `grpc-message` trailer: UTF-8, all but printable ASCII percent-encoded. */
export function encodeStatusMessage(text: string): string {
  // Through Buffer, because encodeURIComponent throws on a lone surrogate.
  return text
    .slice(0, maxLength)
    .replace(/[^ -$&-~]/gu, (character) =>
      Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&"),
    );
}

/** Reads a `grpc-message` trailer; what is not valid percent-encoding stays as it stands. */
export function decodeStatusMessage(encoded: string): string {
  return encoded.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
