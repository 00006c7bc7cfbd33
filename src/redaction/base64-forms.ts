/** Shorter pieces of base64 occur in ordinary text. */
const minLength = 5;

/**
 * Returns the pieces of base64 that only this secret can have produced, wherever it is in the encoded data,
 * such as within `user:password`. They are in the standard alphabet; `bytesOf` treats the one for URLs as
 * equal. The characters at the ends, which also encode neighbouring bytes, are left out.
 */
export function base64Forms(secret: string): readonly string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = bytes.toString("base64");
    const part = whole.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.byteLength * 8) / 6));
    if (part.length >= minLength) forms.push(part);
  }
  return forms;
}
