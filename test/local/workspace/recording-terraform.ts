import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface RecordedCommand {
  readonly verb: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The files of the folder it ran in. */
  readonly files: readonly string[];
}

interface Prints {
  readonly plan?: unknown;
  readonly state?: unknown;
  readonly graph?: string;
  /** What apply writes to the state file. */
  readonly tfstate?: unknown;
  /** The verb that fails. */
  readonly fails?: string;
}

/** A fake Terraform that prints prepared output, and records its calls except for those of a preview. */
export class RecordingTerraform {
  readonly binary: string;
  readonly #calls: string;

  constructor(readonly folder: string) {
    this.#calls = join(folder, "calls");
    mkdirSync(this.#calls, { recursive: true });
    this.binary = join(folder, "terraform");
    writeFileSync(this.binary, script);
    chmodSync(this.binary, 0o755);
    this.prints({});
  }

  prints({ plan = {}, state = {}, graph = "digraph {}", tfstate, fails = "" }: Prints): void {
    const write = (file: string, text: string) => {
      writeFileSync(join(this.folder, file), text);
    };
    write("plan.json", JSON.stringify(plan));
    write("state.json", JSON.stringify(state));
    write("graph", graph);
    write("terraform.tfstate", JSON.stringify(tfstate ?? { serial: 1, resources: [] }));
    write("fails", fails);
  }

  get commands(): readonly RecordedCommand[] {
    const numbers = readdirSync(this.#calls).map(Number);
    return numbers
      .sort((one, other) => one - other)
      .map((number) => {
        const read = (file: string) =>
          readFileSync(join(this.#calls, String(number), file), "utf8");
        const args = read("args").split("\0").slice(0, -1);
        const env = read("env").split("\0").slice(0, -1);
        const pairs = env.map((line) => /^([^=]*)=([\s\S]*)$/.exec(line) ?? []);
        return {
          verb: args[0] ?? "",
          args,
          env: Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value])),
          files: read("files").trim().split("\n").sort(),
        };
      });
  }

  /** The last command of this verb. */
  last(verb: string): RecordedCommand {
    const found = this.commands.filter((command) => command.verb === verb).at(-1);
    if (found === undefined) throw new Error(`there was no ${verb}`);
    return found;
  }
}

const script = `#!/bin/sh
folder=\${0%/*}
case "$*" in
  plan*-out=preview.tfplan*) exit ;;
  show*preview.tfplan) exec cat "$folder/plan.json" ;;
esac
number=0
for call in "$folder"/calls/*; do [ ! -d "$call" ] || number=$((number + 1)); done
while ! mkdir "$folder/calls/$number" 2>/dev/null; do number=$((number + 1)); done
call=$folder/calls/$number
printf '%s\\0' "$@" > "$call/args"
env -0 > "$call/env"
find . -type f > "$call/files"
case $1 in
  plan) : > terraform.tfplan ;;
  apply) cp "$folder/terraform.tfstate" . ;;
  show) if [ $# -gt 3 ]; then cat "$folder/plan.json"; else cat "$folder/state.json"; fi ;;
  graph) cat "$folder/graph" ;;
esac
fails=
read -r fails < "$folder/fails"
if [ "$fails" = "$1" ]; then
  echo '{"@level":"error","@message":"Error: It broke","diagnostic":{"severity":"error","summary":"It broke","detail":"For a reason.","address":"x.y"}}'
  exit 1
fi
`;
