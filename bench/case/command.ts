import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../report";
import { inTurn } from "../sample";
import type { Setting } from "../setting";

/** The whole `terraform plan`, beside one of as many of Terraform's own resources. */
export async function command({ runs, root, version }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const trivet = join(root, "dist", "src", "cli", "main.js");
  const mirror = join(folder, "mirror");
  const run = (cwd: string, script: string): string =>
    execFileSync(process.execPath, [trivet, "exec", "--dir", mirror, "--", "bash", "-c", script], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  try {
    execFileSync(process.execPath, [trivet, "install", "--dir", mirror], { stdio: "ignore" });
    const figures: Figure[] = [];
    for (const count of [1, 100, 1_000]) {
      const measure = (kind: keyof typeof configurations) => {
        const cwd = join(folder, `${kind}-${count}`);
        mkdirSync(cwd);
        writeFileSync(join(cwd, "main.tf.json"), configurations[kind](count, version));
        run(cwd, "terraform init -input=false >/dev/null");
        return () => Promise.resolve(childrenCpuMs(run(cwd, `${plan}; times`)));
      };
      const ours = measure("endpoint");
      const { a, b, ratio } = await inTurn(Math.max(3, runs >> 1), ours, measure("data"));
      const against = `${count} \`terraform_data\`: ${b.median.toFixed(0)} ms`;
      figures.push(
        {
          what: `\`terraform plan\` of ${count}, CPU of all processes`,
          value: a,
          unit: "ms",
          against,
        },
        {
          what: `\`terraform plan\` of ${count}, CPU of all processes`,
          value: ratio,
          unit: "×",
          against,
        },
      );
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const plan = "terraform plan -input=false -refresh=false -lock=false >/dev/null";

const configurations = {
  endpoint: (count: number, version: string): string =>
    JSON.stringify({
      terraform: {
        required_providers: { ids: { source: "trivet.local/trivet/ids", version } },
      },
      provider: { ids: { project: "demo", zone: "us-central1-f", access_token: "token" } },
      resource: {
        ids_endpoint: {
          edge: {
            count,
            endpoint_id: "edge-${count.index}",
            network: "projects/demo/global/networks/main",
            severity: "HIGH",
            labels: { team: "network" },
            threat_exceptions: ["100001", "100002", "100003"],
          },
        },
      },
    }),
  data: (count: number): string =>
    JSON.stringify({
      resource: { terraform_data: { edge: { count, input: "edge-${count.index}" } } },
    }),
};

/** Reads the second line of the shell's `times`: what the commands that it waited for have used. */
function childrenCpuMs(output: string): number {
  const lines = output.trim().split("\n");
  const parts = [...(lines.at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 6e4 + Number(seconds) * 1e3,
    0,
  );
}
