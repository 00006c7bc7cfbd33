import { type Endpoint, idOf, type Move } from "./moves";
import type { PlanRun } from "./plan-run";

/** A reason for which Terraform refuses a move. */
interface MoveRule {
  /** Returns what is wrong with a move; undefined if the rule holds. */
  readonly problem: (move: Move, context: MoveContext) => string | undefined;
  /** True if nothing else is said of such a move. */
  readonly isLast?: boolean;
}

interface MoveContext {
  readonly run: PlanRun;
  /** The first target of each source, and the first source of each target. */
  readonly targets: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<string, string>;
}

const rules: readonly MoveRule[] = [
  {
    isLast: true,
    problem: ({ from, to }) =>
      idOf(from) === idOf(to)
        ? `${from.address} moves to itself. Remove this moved block.`
        : undefined,
  },
  {
    problem: ({ from, to }, { run }) =>
      isDeclared(run, from)
        ? `${from.address} is still in the stack, so it has not moved to ${to.address}. ` +
          `Rename it to ${to.address}, or remove this moved block.`
        : undefined,
  },
  {
    problem: ({ from, to }, { targets }) => {
      const other = targets.get(idOf(from));
      if (other === undefined || other === to.address) return undefined;
      return `${from.address} cannot move to both ${other} and ${to.address}. Remove one of the two moved blocks.`;
    },
  },
  {
    problem: ({ from, to }, { sources }) => {
      const other = sources.get(idOf(to));
      if (other === undefined || other === from.address) return undefined;
      return `${other} and ${from.address} cannot both move to ${to.address}. Remove one of the two moved blocks.`;
    },
  },
];

/** Reports the moves that Terraform refuses. What is still in the stack is known when all is planned. */
export function checkMoves(run: PlanRun): void {
  const { written, circle } = run.moves;
  const targets = new Map<string, string>();
  const sources = new Map<string, string>();
  for (const { from, to } of written) {
    if (!targets.has(idOf(from))) targets.set(idOf(from), to.address);
    if (!sources.has(idOf(to))) sources.set(idOf(to), from.address);
  }
  const context = { run, targets, sources };
  let isValid = true;
  for (const move of written) {
    for (const { problem, isLast = false } of rules) {
      const detail = problem(move, context);
      if (detail === undefined) continue;
      isValid = false;
      run.refuse(move.to.address, summary, detail);
      if (isLast) break;
    }
  }
  if (!isValid || circle === undefined) return;
  const detail =
    `These moves lead back to their beginning: ${circle.slice(1).toSorted().join(", ")}. ` +
    "A chain of moves ends at an address from which nothing moves. Remove one of them.";
  run.refuse("moved", summary, detail);
}

const summary = "Invalid moved block";

/** What is in a module is not read, so nothing can be said of it. */
function isDeclared({ configuration, wanted, unexpanded }: PlanRun, from: Endpoint): boolean {
  const { address, block, key, isWhole } = from;
  const found = configuration.resources.get(block) ?? configuration.modules.get(block);
  if (found === undefined || isWhole) return found !== undefined;
  if (!unexpanded.has(block)) return wanted.has(address);
  return key === undefined && found.count === undefined && found.forEach === undefined;
}
