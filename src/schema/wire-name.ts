/** The name of a property in Terraform: `given.wire`, or otherwise the property's name in snake_case. */
export function wireName(name: string, given?: { readonly wire?: string | undefined }): string {
  return given?.wire ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
