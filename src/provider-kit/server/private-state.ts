/**
 * What a resource remembers outside its state, hidden from the user.
 *
 * Maps keys to strings. Terraform stores it unencrypted, like the state.
 */
export class PrivateState {
  readonly #values: Map<string, string>;

  constructor(bytes: Uint8Array) {
    this.#values = new Map(bytes.length === 0 ? [] : Object.entries(parse(bytes)));
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    this.#values.set(key, value);
  }

  /** @returns whether the key was set */
  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  /** The bytes that Terraform stores: a JSON object, or nothing when it is empty. */
  toBytes(): Uint8Array {
    if (this.#values.size === 0) return new Uint8Array();
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(this.#values)));
  }
}

function parse(bytes: Uint8Array): Record<string, string> {
  const values: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof values !== "object" || values === null) return {};
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
