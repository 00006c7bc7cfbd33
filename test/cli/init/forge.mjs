// In place of `gh` and `curl`: answers from forge.json in its folder, and evaluates --jq with the real jq.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [program, store, ...args] = process.argv.slice(2);
const forge = JSON.parse(readFileSync(join(store, "forge.json"), "utf8"));

function github(path) {
  const { pathname, searchParams } = new URL(path, "https://api.invalid/");
  const [, , , , kind, sha, rest] = pathname.split("/");
  if (kind === "commits" && rest === "pulls") return forge.pulls;
  if (pathname.endsWith("/git/commits/" + pathname.split("/").at(-1))) {
    const commit = pathname.split("/").at(-1);
    const tree = execFileSync("git", ["rev-parse", `${commit}^{tree}`], { encoding: "utf8" });
    return { tree: { sha: tree.trim() } };
  }
  if (pathname.endsWith("/actions/workflows/stacks.yml/runs")) {
    const wanted = ["event", "head_sha"].map((name) => [name, searchParams.get(name)]);
    return {
      workflow_runs: forge.runs.filter((run) =>
        wanted.every(([name, value]) => run[name] === value),
      ),
    };
  }
  throw new Error(`unexpected: ${path} ${sha}`);
}

function gitlab(path) {
  const [kind, id, what, file] = path.split("/").slice(path.startsWith("repository/") ? 1 : 0);
  if (kind === "commits" && what === "merge_requests") return JSON.stringify(forge.requests);
  if (kind === "merge_requests") return JSON.stringify(forge.pipelines);
  if (kind === "pipelines")
    return JSON.stringify([{ id: Number(id), name: "plan", status: "success" }]);
  if (kind === "jobs" && what === "artifacts") return readFileSync(join(store, `run-${id}`, file));
  throw new Error(`unexpected: ${path}`);
}

if (program === "curl") {
  process.stdout.write(gitlab(args.at(-1).split("/projects/7/")[1]));
} else if (args[0] === "pr") {
  writeFileSync(join(store, "comment.md"), readFileSync("plan.md"));
} else if (args[0] === "run") {
  cpSync(join(store, `run-${args[2]}`), ".", { recursive: true });
} else {
  const filter = args[args.indexOf("--jq") + 1];
  const answer = execFileSync("jq", ["--raw-output", filter], {
    input: JSON.stringify(github(args[1])),
  });
  process.stdout.write(answer);
}
