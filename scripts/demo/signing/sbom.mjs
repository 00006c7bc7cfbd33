// @ts-check
import { createHash } from "node:crypto";

/**
 * The contents of our image, file by file: an SPDX 2.3 document.
 *
 * @param {string} name of the packaged software
 * @param {string} version
 * @param {readonly import("./tar.mjs").TarFile[]} files
 */
export function sbom(name, version, files) {
  const listed = files.map(({ path, content }, index) => ({
    SPDXID: `SPDXRef-File-${index}`,
    fileName: `./usr/lib/trivet/${path}`,
    checksums: ["sha1", "sha256"].map((algorithm) => ({
      algorithm: algorithm.toUpperCase(),
      checksumValue: createHash(algorithm).update(content).digest("hex"),
    })),
  }));
  const contents = createHash("sha256").update(JSON.stringify(listed)).digest("hex");
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `${name}-${version}`,
    documentNamespace: `https://trivet.local/spdx/${name}/${contents}`,
    creationInfo: {
      created: `${new Date().toISOString().slice(0, 19)}Z`,
      creators: ["Tool: trivet-demo"],
    },
    packages: [
      {
        SPDXID: "SPDXRef-Package",
        name,
        versionInfo: version,
        downloadLocation: "NOASSERTION",
        filesAnalyzed: false,
        licenseDeclared: "Apache-2.0",
      },
    ],
    files: listed,
    relationships: [
      ["SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package"],
      ...listed.map(({ SPDXID }) => ["SPDXRef-Package", "CONTAINS", SPDXID]),
    ].map(([spdxElementId, relationshipType, relatedSpdxElement]) => ({
      spdxElementId,
      relationshipType,
      relatedSpdxElement,
    })),
  };
}
