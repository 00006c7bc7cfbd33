import { expressionsIn, sequencesIn, type Expression } from "../../hcl/template-sequences";

/**
 * Returns the first two names (three for a data source) of the elements that a string refers to:
 * `ids_endpoint.edge` in `${upper(ids_endpoint.edge[0].id)}`. Quoted strings count only inside their
 * templates.
 *
 * The result can contain names that are not addresses in a stack, such as `each.key`.
 */
export const traversalsInText = (text: string): string[] => traversalsOf(sequencesIn(text));

/** Like {@link traversalsInText}, for a string that is itself an expression, as in `depends_on`. */
export const traversalsInExpression = (expression: string): string[] =>
  traversalsOf(expressionsIn(expression));

/** Matches two names, three for a data source, that are not a part of a longer traversal. */
const traversal = /(?<![\w.\])])(?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*/g;

const traversalsOf = (expressions: readonly Expression[]): string[] =>
  expressions.flatMap(({ code }) => [...code.matchAll(traversal)].map(([name]) => name));
