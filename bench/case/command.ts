import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../report";
import { pairs } from "../sample";
import type { MeasuredProvider, Setting } from "../setting";
import { type Step, stepsOf } from "../step";
import { Terraform } from "../terraform";
import type { Timing } from "../time-command";

/** Compares whole Terraform commands with the same number of Terraform's own resources. */
export function command({ runs, root, providers }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  try {
    const terraform = new Terraform(folder, root);
    const figures: Figure[] = [];
    for (const provider of providers) {
      for (const count of provider.subject.commandCounts) {
        figures.push(...measure(terraform, provider, count, Math.max(3, runs >> 1)));
      }
    }
    return Promise.resolve(figures);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const commands: Readonly<Record<Step, string>> = {
  plan: "terraform plan -input=false -lock=false",
  apply: "terraform apply -input=false -lock=false -auto-approve",
  "second plan": "terraform plan -input=false -lock=false",
};

function measure(
  terraform: Terraform,
  { subject, version }: MeasuredProvider,
  count: number,
  runs: number,
): Figure[] {
  const { name, piece, resources, environment } = subject;
  const steps = stepsOf(subject);
  const own = count * resources.length;
  const required = { [name]: { source: `trivet.local/trivet/${name}`, version } };
  const ours = terraform.prepare(`${name}-${count}`, {
    terraform: { required_providers: required },
    ...subject.configuration(count),
  });
  const theirs = terraform.prepare(`${name}-${count}-data`, {
    resource: { terraform_data: { edge: { count: own, input: "edge-${count.index}" } } },
  });
  const all = (cwd: string): Timing[] => {
    rmSync(join(cwd, "terraform.tfstate"), { force: true });
    return steps.map((step) => terraform.time(cwd, commands[step], environment));
  };
  const taken: (readonly [Timing[], Timing[]])[] = [];
  for (let run = 0; run <= runs; run++) {
    const pair = [all(ours), all(theirs)] as const;
    if (run > 0) taken.push(pair);
  }
  return steps.flatMap((step, at): Figure[] => {
    const [cpu, wall] = (["cpuMs", "wallMs"] as const).map((unit) =>
      pairs(
        taken.map(([a]) => a[at]?.[unit] ?? Number.NaN),
        taken.map(([, b]) => b[at]?.[unit] ?? Number.NaN),
      ),
    );
    if (cpu === undefined || wall === undefined) return [];
    const what = `${name}: \`terraform\` ${step} of ${count} × ${piece}`;
    const beside = (ms: number): string => `${own} \`terraform_data\`: ${ms.toFixed(0)} ms`;
    const against = beside(cpu.b.median);
    return [
      { what: `${what}, CPU of all processes`, value: cpu.a, unit: "ms", against },
      { what: `${what}, CPU of all processes`, value: cpu.ratio, unit: "×", against },
      { what: `${what}, wall`, value: wall.a, unit: "ms", against: beside(wall.b.median) },
    ];
  });
}
