import { isDigest, type Digest } from "../../oci/reference/digest";
import { goStruct } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { FormatError } from "./format-error";

const type = "cosign container image signature";

/** What a legacy signature says. */
export interface SimpleSigning {
  /** The repository in which the image was signed; a copy keeps it. */
  readonly dockerReference: string;
  readonly digest: Digest;
}

/** The bytes that a legacy signature signs; equal for everybody who signs the image there. */
export function simpleSigningPayload({ dockerReference, digest }: SimpleSigning): Buffer {
  const critical = goStruct({
    identity: goStruct({ "docker-reference": dockerReference }),
    image: goStruct({ "docker-manifest-digest": digest }),
    type,
  });
  return Buffer.from(goStruct({ critical, optional: null }).text, "utf8");
}

/**
 * Reads the payload of a legacy signature, whoever wrote it.
 *
 * @throws JsonError, FormatError
 */
export function readSimpleSigning(payload: Uint8Array): SimpleSigning {
  const critical = JsonFields.of(parseJson(payload), "payload").fields("critical");
  if (critical.text("type") !== type) {
    throw new FormatError(`the payload's critical.type is not "${type}"`);
  }
  const digest = critical.fields("image").text("docker-manifest-digest");
  if (!isDigest(digest)) throw new FormatError("the payload names no sha256 digest");
  return { dockerReference: critical.fields("identity").text("docker-reference"), digest };
}
