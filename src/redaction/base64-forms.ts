/** A shorter part of base64 occurs in ordinary text. */
const minLength = 5;

/**
 * The parts of base64 texts that only this secret can have made, wherever it is in what was encoded: also
 * within `user:password`. The alphabet for URLs is read as the other one, see `bytesOf`. The characters at its ends, which it shares with its neighbours, are left out.
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
