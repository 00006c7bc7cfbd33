import type { Figure } from "../report";
import { pairs, type Sample, sample } from "../sample";
import type { Comparison } from "./comparison";
import { type CommandName, commandNames, type Taken } from "./taken";

/** The targets of a warm plan: the ratio of all CPU to a cold peer, and the provider's part. */
const warmTargets = { peer: 0.35, providerMs: 30 };

/** Returns what a comparison found: our provider cold, compiled if that was measured, and warm. */
export function comparisonFigures(comparison: Comparison, taken: readonly Taken[]): Figure[] {
  const compiled = taken.every((run) => run.compiled !== undefined);
  return [
    ...coldFigures(comparison, taken),
    ...(compiled ? compiledFigures(comparison, taken) : []),
    ...warmFigures(comparison, taken),
  ];
}

function coldFigures(comparison: Comparison, taken: readonly Taken[]): Figure[] {
  const { peer, target } = comparison;
  return commandNames.flatMap((command) =>
    measured(comparison, command, "").flatMap(({ what, times }) => {
      const ours = times(taken, "ours");
      const theirs = times(taken, "theirs");
      if (theirs.length === 0) {
        const against = `no \`--peer ${peer.name}=PATH\``;
        return [{ what, value: sample(ours), unit: "ms", against }];
      }
      const { a, b, ratio } = pairs(ours, theirs);
      const against = `\`${peer.name}\`: ${shown(b)}`;
      return [
        { what, value: a, unit: "ms", against },
        { what, value: ratio, unit: "×", against, target },
      ];
    }),
  );
}

function compiledFigures(comparison: Comparison, taken: readonly Taken[]): Figure[] {
  const { peer, target } = comparison;
  return commandNames.flatMap((command) =>
    measured(comparison, command, ", compiled").flatMap(({ what, times }) => {
      const mine = times(taken, "compiled");
      return [
        ...besideOurs(what, mine, times(taken, "ours"), "on Node.js"),
        ...besidePeer(what, mine, times(taken, "theirs"), `\`${peer.name}\``, target),
      ];
    }),
  );
}

/** The same commands with a provider that is kept by `trivet exec --warm`. */
function warmFigures(comparison: Comparison, taken: readonly Taken[]): Figure[] {
  const { provider, piece, peer } = comparison;
  return commandNames.flatMap((command) => {
    const isPlan = command === "plan";
    const figures = measured(comparison, command, ", warm").flatMap(({ what, measure, times }) => {
      const target = isPlan && measure === "cpuMs" ? warmTargets.peer : undefined;
      const mine = times(taken, "warm");
      return [
        ...besideOurs(what, mine, times(taken, "ours"), "cold"),
        ...besidePeer(what, mine, times(taken, "theirs"), `\`${peer.name}\`, cold`, target),
      ];
    });
    const own: Figure = {
      what: `${provider}: \`terraform ${command}\` of ${piece}, warm, CPU`,
      value: sample(taken.map((run) => run.warm[command].providerCpuMs)),
      unit: "ms",
      against: "the provider's process alone",
      target: isPlan ? warmTargets.providerMs : undefined,
    };
    return [...figures, own];
  });
}

/** CPU and wall time of a command, with a way to get them for each of its runs. */
function measured({ provider, piece }: Comparison, command: CommandName, form: string) {
  const what = `${provider}: \`terraform ${command}\` of ${piece}${form}`;
  return (["cpuMs", "wallMs"] as const).map((measure) => ({
    measure,
    what: `${what}, ${measure === "cpuMs" ? "CPU of all processes" : "wall"}`,
    times: (taken: readonly Taken[], of: keyof Taken): readonly number[] =>
      taken.flatMap((run) => run[of]?.[command][measure] ?? []),
  }));
}

/** What a form of our provider takes, and the ratio to the usual form. */
function besideOurs(
  what: string,
  mine: readonly number[],
  ours: readonly number[],
  usual: string,
): Figure[] {
  const { a, b, ratio } = pairs(mine, ours);
  const against = `${usual}: ${shown(b)}`;
  return [
    { what, value: a, unit: "ms", against },
    { what, value: ratio, unit: "×", against },
  ];
}

/** The ratio to the peer. Without it, there is no figure. */
function besidePeer(
  what: string,
  mine: readonly number[],
  theirs: readonly number[],
  against: string,
  target: number | undefined,
): Figure[] {
  if (theirs.length === 0) return [];
  return [{ what, value: pairs(mine, theirs).ratio, unit: "×", against, target }];
}

const shown = ({ median, min }: Sample): string =>
  `${median.toFixed(0)} ms, at least ${min.toFixed(0)} ms`;
