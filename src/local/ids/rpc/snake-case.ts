/** Converts `threatExceptions` to `threat_exceptions`, the name in the proto. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
