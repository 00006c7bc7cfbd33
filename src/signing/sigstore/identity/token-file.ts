import { FileProblem, readSmallFile } from "../../../process/small-file";
import { ServiceError } from "../service/service-error";
import { tokenLimits } from "./token-request";

/**
 * Reads a small regular file with a token; undefined if it does not exist.
 *
 * @param content what the file contains, for messages
 * @throws ServiceError
 */
export async function readTokenFile(path: string, content: string): Promise<string | undefined> {
  try {
    return await readSmallFile(path, tokenLimits.maxBytes);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const message = `Cannot use ${content} in ${path}: ${error.message}.`;
    throw new ServiceError("IDENTITY", message, error.cause);
  }
}
