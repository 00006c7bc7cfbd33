import { FunctionError, implementFunction } from "../../provider-kit";
import {
  formatReference,
  formatRepository,
  parseReference as parse,
} from "../oci/reference/image-name";
import { parseReference } from "./declare";

/** `provider::signing::parse_reference`. */
export const parseReferenceHandler = implementFunction(parseReference)(({ reference }) => {
  const parsed = parse(reference);
  if ("problem" in parsed)
    throw new FunctionError({ message: parsed.problem, path: ["reference"] });
  const { registry, path, tag = null, digest = null } = parsed;
  const repository = formatRepository(parsed);
  return { reference: formatReference(parsed), repository, registry, path, tag, digest };
});
