import { inParallel } from "../../http/in-parallel";
import type { Descriptor } from "../oci/protocol/descriptor";
import { formatRepository } from "../oci/reference/repository";
import type { ImageTree } from "./read-images";
import type { SigningRun, Written, WrittenBundle, WrittenLayer } from "./signing-run";

/** What was written about one image. */
interface WrittenAbout {
  readonly layers: readonly WrittenLayer[];
  readonly bundles: readonly WrittenBundle[];
}

/**
 * Writes about each image of an index, several at a time, and about the index last: what is signed as a whole has signed
 * images. After a failure no further image is begun, and the next run continues.
 *
 * @returns everything of ours that is now in the registry
 */
export async function writeEach(
  { repository }: Pick<SigningRun, "repository">,
  { image, children }: ImageTree,
  parallel: number,
  write: (subject: Descriptor) => Promise<WrittenAbout>,
): Promise<Written> {
  const written: WrittenAbout[] = [];
  await inParallel(parallel, children.entries(), async ([place, { descriptor }]) => {
    written[place] = await write(descriptor);
  });
  written.push(await write(image));
  return {
    version: 1,
    repository: formatRepository(repository),
    layers: written.flatMap(({ layers }) => layers),
    bundles: written.flatMap(({ bundles }) => bundles),
  };
}
