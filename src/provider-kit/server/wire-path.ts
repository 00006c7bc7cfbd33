import type { Path } from "../../schema/finding";
import type { CtyType } from "../cty/type";

/** A path in Terraform's names. */
export function wirePath(type: CtyType, path: Path): Path {
  let at: CtyType | undefined = type;
  return path.map((step) => {
    if (at === undefined || typeof at === "string") return step;
    if ("object" in at) {
      const field = at.object.find(({ name }) => name === step);
      at = field?.type;
      return field?.wire ?? step;
    }
    if ("tuple" in at) at = at.tuple[Number(step)];
    else at = "list" in at ? at.list : "set" in at ? at.set : at.map;
    return step;
  });
}
