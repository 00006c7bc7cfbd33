import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBackground } from "../background";
import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { sample } from "../sample";
import type { Setting } from "../setting";

/** Measures signing and verifying images with the local services, in each format. */
export async function signing({ runs }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const services = await startBackground("serve-signing", folder);
  try {
    const figures: Figure[] = [];
    for (const format of ["legacy", "bundle"] as const) {
      const taken: Readonly<Record<string, number>>[] = [];
      for (let run = 0; run < Math.max(3, runs >> 1); run++) {
        taken.push(await runProbe("sign", format, JSON.stringify(services.facts)));
      }
      figures.push(...figuresOf(format, taken));
    }
    return figures;
  } finally {
    await services.close();
    rmSync(folder, { recursive: true });
  }
}

/** The targets in milliseconds of wall time. A tag is watched for 112 ms after it was written. */
const targets = { legacy: { sign: 150, check: 15 }, bundle: { sign: 60, check: 15 } } as const;

function figuresOf(
  format: keyof typeof targets,
  taken: readonly Readonly<Record<string, number>>[],
): Figure[] {
  const of = (name: string) => sample(taken.map((each) => each[name] ?? Number.NaN));
  return (["sign", "check"] as const).flatMap((work): Figure[] => {
    const what = `signing: a ${work === "sign" ? "signature" : "verification"} (${format})`;
    const cpu = { unit: "ms", against: "the client's process" } as const;
    const inTurn = { unit: "ms", against: "one after another" } as const;
    const atOnce = { unit: "ms", against: "eight at once, an eighth of their time" } as const;
    return [
      { what: `${what}, CPU`, value: of(`${work}CpuMs`), ...cpu },
      {
        what: `${what}, wall`,
        value: of(`${work}WallMs`),
        ...inTurn,
        target: targets[format][work],
      },
      { what: `${what}, wall`, value: of(`${work}AtOnceWallMs`), ...atOnce },
    ];
  });
}
