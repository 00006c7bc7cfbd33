import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address, configurations, importId } from "../acceptance-steps";
import { startBackground } from "../background";
import type { Figure } from "../report";
import { pairs } from "../sample";
import type { Setting } from "../setting";
import { Terraform } from "../terraform";
import { timeCommand, type Timing } from "../time-command";

const steps = 10;

/**
 * Compares an acceptance test of an endpoint with the same commands without the helper, each of which starts the
 * installed provider after `terraform init`.
 */
export async function acceptance({ runs, root, providers }: Setting): Promise<Figure[]> {
  const ids = providers.find(({ subject }) => subject.name === "ids");
  if (ids === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const service = await startBackground("serve-ids");
  try {
    const url = service.facts["url"] ?? "";
    const source = "trivet.local/trivet/ids";
    const required = { required_providers: { ids: { source, version: ids.version } } };
    const terraform = new Terraform(folder, root);
    const cwd = terraform.prepare("cold", { terraform: required });
    configurations(url, steps).forEach((configuration, step) => {
      const text = JSON.stringify({ terraform: required, ...configuration });
      writeFileSync(join(cwd, `step-${step}.json`), text);
    });
    writeFileSync(join(cwd, "test.sh"), coldScript());
    const probe = join(__dirname, "..", "probe", "acceptance.js");
    const provider = join(root, "dist", "providers", "ids", "provider.cjs");
    const warm = `node ${probe} ${provider} ${url} ${steps}`;
    const taken: (readonly [Timing, Timing])[] = [];
    for (let run = 0; run <= Math.max(3, runs >> 1); run++) {
      const pair = [timeCommand(warm), terraform.time(cwd, "bash test.sh", {})] as const;
      if (run > 0) taken.push(pair);
    }
    return (["wallMs", "cpuMs"] as const).flatMap((unit): Figure[] => {
      const { a, b, ratio } = pairs(
        taken.map(([each]) => each[unit]),
        taken.map(([, each]) => each[unit]),
      );
      const what = `ids: acceptance test of ${steps} changes, ${unit === "wallMs" ? "wall" : "CPU"}`;
      const against = `the same commands, each with a new provider: ${b.median.toFixed(0)} ms`;
      return [
        { what, value: a, unit: "ms", against },
        { what, value: ratio, unit: "×", against, target: 0.1 },
      ];
    });
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

/** The commands of a test without the helper, for the same steps. */
function coldScript(): string {
  const each = Array.from(
    { length: steps },
    (_, step) => `cp step-${step}.json main.tf.json
terraform apply -json -input=false -auto-approve
terraform show -json
terraform plan -json -input=false -detailed-exitcode`,
  );
  return `set -e
rm -rf .terraform .terraform.lock.hcl terraform.tfstate* import.tfstate*
cp step-0.json main.tf.json
terraform init -input=false
${each.join("\n")}
terraform show -json
terraform import -input=false -state=import.tfstate ${address} ${importId}
terraform show -json import.tfstate
terraform destroy -json -input=false -auto-approve
terraform show -json
`;
}
