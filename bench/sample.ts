/** The minimum, the median and the number of measurements. */
export interface Sample {
  readonly min: number;
  readonly median: number;
  readonly runs: number;
}

/** Measurements of two things that were made alternately. */
export interface Pairs {
  readonly a: Sample;
  readonly b: Sample;
  /** `a / b`, pair by pair. */
  readonly ratio: Sample;
  /** `a - b`, pair by pair. */
  readonly difference: Sample;
}

/** Summarises measurements. */
export function sample(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 1 ? middle : middle - 1],
    sorted[middle],
  ];
  return { min: sorted[0] ?? Number.NaN, median: (low + high) / 2, runs: sorted.length };
}

/** Measures two things alternately, after a warm-up round. */
export async function inTurn(
  runs: number,
  measureA: () => Promise<number>,
  measureB: () => Promise<number>,
): Promise<Pairs> {
  const a: number[] = [];
  const b: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const pair = [await measureA(), await measureB()] as const;
    if (run === 0) continue;
    a.push(pair[0]);
    b.push(pair[1]);
  }
  return pairs(a, b);
}

/** Combines measurements that were made alternately. */
export function pairs(a: readonly number[], b: readonly number[]): Pairs {
  const ratios = a.map((value, index) => value / (b[index] ?? Number.NaN));
  const differences = a.map((value, index) => value - (b[index] ?? Number.NaN));
  return { a: sample(a), b: sample(b), ratio: sample(ratios), difference: sample(differences) };
}
