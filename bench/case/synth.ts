import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { pairs } from "../sample";
import type { Setting } from "../setting";

/** Building and synthesizing endpoints, with the constructs and with the bare bindings. */
export async function synth({ runs }: Setting): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1_000, 10_000]) {
    const build: [number[], number[]] = [[], []];
    const whole: [number[], number[]] = [[], []];
    for (let run = 0; run <= Math.max(3, runs >> 1); run++) {
      const made = await runProbe("synth", "construct", String(count));
      const raw = await runProbe("synth", "binding", String(count));
      if (made["checksum"] !== raw["checksum"]) throw new Error("the resources differ");
      if (run === 0) continue;
      [made, raw].forEach(({ buildMs = Number.NaN, synthMs = Number.NaN }, index) => {
        build[index]?.push(buildMs);
        whole[index]?.push(buildMs + synthMs);
      });
    }
    const [building, both] = [pairs(...build), pairs(...whole)];
    const against = "the bare bindings, equal `resource` sections";
    figures.push(
      {
        what: `build of ${count} constructs, CPU`,
        value: building.ratio,
        unit: "×",
        against,
        target: 0.3,
      },
      {
        what: `build and synth of ${count} constructs, CPU`,
        value: both.ratio,
        unit: "×",
        against,
        target: 0.8,
      },
      {
        what: `build and synth of ${count} constructs, CPU`,
        value: both.a,
        unit: "ms",
        against: `bindings: ${both.b.median.toFixed(0)} ms`,
      },
    );
  }
  return figures;
}
