import { isDigest, type Digest } from "../../oci/reference/digest";
import { goStruct } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";
import { JsonError } from "../../../json/json-error";

const type = "cosign container image signature";

/**
 * The payload of a legacy signature.
 *
 * @see https://github.com/containers/image/blob/main/docs/containers-signature.5.md
 */
interface SimpleSigning {
  /** The repository in which the image was signed. Copies keep it. */
  readonly dockerReference: string;
  readonly digest: Digest;
}

/** The bytes that a legacy signature signs. They are the same for all signers of the image. */
export function simpleSigningPayload({ dockerReference, digest }: SimpleSigning): Buffer {
  const critical = goStruct({
    identity: goStruct({ "docker-reference": dockerReference }),
    image: goStruct({ "docker-manifest-digest": digest }),
    type,
  });
  return Buffer.from(goStruct({ critical, optional: null }).text, "utf8");
}

/**
 * Parses the payload of a legacy signature.
 *
 * @throws JsonError
 */
export function readSimpleSigning(payload: Uint8Array): SimpleSigning {
  const critical = JsonFields.of(parseJson(payload), "payload").fields("critical");
  if (critical.string("type") !== type) {
    throw new JsonError("SHAPE", `the payload's critical.type is not "${type}"`);
  }
  const digest = critical.fields("image").string("docker-manifest-digest");
  if (!isDigest(digest)) throw new JsonError("SHAPE", "the payload has no sha256 or sha512 digest");
  return { dockerReference: critical.fields("identity").string("docker-reference"), digest };
}
