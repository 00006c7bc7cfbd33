import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../report";
import { runProbe } from "../run-probe";
import { pairs, type Sample } from "../sample";
import type { Setting } from "../setting";
import { Terraform } from "../terraform";

const count = 1_000;

/** The kinds of stacks, with the ratios to reach. */
const kinds = [
  ["without expressions", literalEndpoint, 0.05],
  ["with expressions", expressionEndpoint, 0.15],
] as const;

/** Compares an offline plan of a whole stack with `terraform plan`, by the CPU of all processes. */
export async function offline({ runs, root, providers }: Setting): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "trivet-bench-"));
  const version = providers.find(({ subject }) => subject.name === "ids")?.version ?? "";
  try {
    const terraform = new Terraform(folder, root);
    const figures: Figure[] = [];
    for (const [kind, endpoint, target] of kinds) {
      const cwd = terraform.prepare(kind.replace(" ", "-"), stackOf(endpoint, version));
      const taken: (readonly [theirs: number, first: number, last: number])[] = [];
      for (let run = 0; run < runs; run++) {
        const command = "terraform plan -input=false -lock=false";
        const { cpuMs } = terraform.time(cwd, command, { CHECKPOINT_DISABLE: "1" });
        const probe = await runProbe("offline-plan", join(cwd, "main.tf.json"));
        taken.push([cpuMs, probe["firstMs"] ?? Number.NaN, probe["lastMs"] ?? Number.NaN]);
      }
      const ratio = (at: 1 | 2) =>
        pairs(
          taken.map((each) => each[at]),
          taken.map(([theirs]) => theirs),
        );
      const [first, last] = [ratio(1), ratio(2)];
      const beside = ({ median }: Sample): string => `\`terraform plan\`: ${median.toFixed(0)} ms`;
      const what = `offline plan of ${count} endpoints ${kind}, CPU`;
      figures.push(
        { what: `${what}, the first`, value: first.ratio, unit: "×", against: beside(first.b) },
        {
          what: `${what}, the sixth`,
          value: last.ratio,
          unit: "×",
          against: beside(last.b),
          target,
        },
      );
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const stackOf = (endpoint: (index: number) => object, version: string): object => ({
  terraform: { required_providers: { ids: { source: "trivet.local/trivet/ids", version } } },
  provider: { ids: { project: "p", zone: "us-central1-a", access_token: "token" } },
  variable: { team: { type: "string", default: "net" } },
  locals: {
    names: ["a", "b", "c"],
    labels: { tier: "1", owner: "${lower(var.team)}" },
    networks: { main: "projects/p/global/networks/main" },
  },
  resource: {
    ids_endpoint: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`e${index}`, endpoint(index)]),
    ),
  },
});

function literalEndpoint(index: number): object {
  return {
    endpoint_id: `edge-${index}`,
    network: "projects/p/global/networks/main",
    severity: "HIGH",
    description: "Endpoint",
    labels: { team: "network" },
  };
}

function expressionEndpoint(index: number): object {
  return {
    endpoint_id: `\${lower(format("Edge-%04d", ${index}))}`,
    network: '${local.networks["main"]}',
    severity: `\${${index} % 2 == 0 ? "HIGH" : "LOW"}`,
    description: `\${join(", ", [for name in local.names : upper(name) if name != "b"])} ${index}`,
    labels: `\${merge(local.labels, { index = tostring(${index} * 3 + 1), team = var.team })}`,
  };
}
