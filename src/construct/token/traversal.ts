import { expressionsIn, sequencesIn, type Expression } from "../../hcl/template-sequences";

/**
 * The first two names of what a text refers to (three for a data source): `ids_endpoint.edge` of
 * `${upper(ids_endpoint.edge[0].id)}`. Quoted texts count only where a template stands in them.
 *
 * A name may be one that Terraform does not look for in a stack, such as `each.key`.
 */
export const traversalsInText = (text: string): string[] => traversalsOf(sequencesIn(text));

/** As {@link traversalsInText}, for a text that is an expression itself, as in `depends_on`. */
export const traversalsInExpression = (expression: string): string[] =>
  traversalsOf(expressionsIn(expression));

/** Two names, three for a data source, where nothing before them makes them a part of something. */
const traversal = /(?<![\w.\])])(?:data\.)?[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*/g;

const traversalsOf = (expressions: readonly Expression[]): string[] =>
  expressions.flatMap(({ code }) => [...code.matchAll(traversal)].map(([name]) => name));
