/** The cost of two contenders for a number of pieces. */
export interface Point {
  readonly count: number;
  readonly ours: number;
  readonly theirs: number;
}

/**
 * The smallest number of pieces from which on ours costs less, in all larger measurements. Interpolates the ratio
 * linearly over the logarithm of the number.
 *
 * @param points in ascending order of their numbers
 * @returns undefined if ours never costs less
 */
export function crossover(points: readonly Point[]): number | undefined {
  const after = points.findLastIndex(({ ours, theirs }) => ours >= theirs) + 1;
  const [below, above] = [points[after - 1], points[after]];
  if (above === undefined) return undefined;
  if (below === undefined) return above.count;
  const [from, to] = [excess(below), excess(above)];
  const share = from / (from - to);
  return Math.ceil(below.count * (above.count / below.count) ** share);
}

const excess = ({ ours, theirs }: Point): number => ours / theirs - 1;
