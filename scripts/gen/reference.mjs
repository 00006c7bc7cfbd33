// @ts-check

/**
 * The reference page of one provider, from its declarations.
 *
 * @param {string} name
 * @returns {Promise<Map<string, string>>} path in the checkout to text
 */
export async function reference(name) {
  // Here `referencePage` of src/schema/reference.ts is to write the page: load it and
  // src/<name>/declare through `loadSource`, and put its text under `docs/reference/<name>.md`.
  void name;
  return new Map();
}
