import { wireName, type Fields } from "../../../schema";
import type { Vocabulary } from "../vocabulary";
import type { Grammar } from "./native-block";

/**
 * The blocks of a declaration.
 *
 * @param vocabulary how a product spells their names; undefined for our own
 */
export function declaredGrammar({ blocks = {} }: Fields, vocabulary?: Vocabulary): Grammar {
  const inside = new Map<string, Grammar>();
  for (const [name, block] of Object.entries(blocks)) {
    const ours = wireName(name, block);
    const grammar = declaredGrammar(block.fields, vocabulary?.inside.get(ours));
    inside.set(vocabulary?.names.get(ours) ?? ours, grammar);
  }
  return (name) => inside.get(name);
}
