import type { ProviderPackage } from "./provider-package";
import { zipSync } from "./zip-library";

/**
 * The earliest date that a zip file can contain. Zip files use local time, so this is the same everywhere.
 */
const earliest = new Date(1980, 0, 1);
const unix = 3;
const regularFile = 0o100000;

/**
 * Zips the files of a provider's package. The same files give the same bytes on every machine and with every
 * version of Node.js, because the compression is not the one of Node.js.
 *
 * @param executable the file that can be executed
 */
export function zipPackage(files: ProviderPackage["files"], executable: string): Uint8Array {
  const names = [...files.keys()].sort();
  return zipSync(
    Object.fromEntries(
      names.map((name) => {
        const mode = regularFile | (name === executable ? 0o755 : 0o644);
        const attributes = {
          os: unix,
          attrs: mode * 0x1_00_00,
          mtime: earliest,
          level: 9,
        } as const;
        const content = files.get(name) ?? "";
        return [name, [typeof content === "string" ? Buffer.from(content) : content, attributes]];
      }),
    ),
  );
}
