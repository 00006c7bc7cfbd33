/**
 * What a resource remembers beside its state, out of the user's sight.
 *
 * Texts under keys. Terraform stores it unencrypted, as it does the state.
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

  delete(key: string): void {
    this.#values.delete(key);
  }

  /** The form in which Terraform keeps it. */
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
