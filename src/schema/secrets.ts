import type { Attribute, Block, Fields } from "./attribute";
import type { Type } from "./type";

/** Whether values of a type contain a sensitive one, so that no message may show them as a whole. */
export function containsSecrets(type: Type): boolean {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return containsSecrets(type.of);
    case "object":
      return hasSecrets(type.fields);
    default:
      return false;
  }
}

/** Whether no message may show the attribute's value. */
export const isSensitive = ({ sensitive, writeOnly }: Attribute): boolean =>
  sensitive === true || writeOnly === true;

/** Whether a declaration, block or object has a sensitive attribute at any depth. */
export function hasSecrets({ attributes, blocks = {} }: Fields): boolean {
  const isSecret = (attribute: Attribute): boolean =>
    isSensitive(attribute) || containsSecrets(attribute.type);
  return (
    Object.values(attributes).some(isSecret) ||
    Object.values(blocks).some((block: Block) => hasSecrets(block.fields))
  );
}
