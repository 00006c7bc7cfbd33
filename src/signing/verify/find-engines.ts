import type { CallContext } from "../../http/call-context";
import type { ImagePolicy } from "../policy/policy";
import { PolicyEngines } from "../policy/engine/policy-engines";
import type { EvaluateProgram, PolicyProgram } from "../policy/engine/program";

/**
 * Finds the engines that the programs of policies need. Nothing is evaluated yet.
 *
 * @param env the environment with the `PATH` on which they are
 * @returns how to evaluate programs, or which engines are missing
 */
export async function findEngines(
  policies: readonly ImagePolicy[],
  env: Readonly<NodeJS.ProcessEnv>,
  context: CallContext,
): Promise<{ readonly evaluate: EvaluateProgram } | { readonly problems: readonly string[] }> {
  const engines = new PolicyEngines(env, context);
  const types = new Set(policies.flatMap(programsOf).map(({ type }) => type));
  const missing = await Promise.all(Array.from(types, (type) => engines.missing(type)));
  const problems = missing.filter((each) => each !== undefined);
  if (problems.length > 0) return { problems };
  return { evaluate: (program, input) => engines.evaluate(program, input) };
}

function programsOf({ program, authorities }: ImagePolicy): readonly PolicyProgram[] {
  const ofAttestations = authorities.flatMap((authority) =>
    authority.kind === "signing" ? authority.attestations.map((each) => each.program) : [],
  );
  return [program, ...ofAttestations].filter((each) => each !== undefined);
}
