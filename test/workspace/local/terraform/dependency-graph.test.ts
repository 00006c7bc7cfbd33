import { DependencyGraph } from "../../../../src/workspace/local/terraform/dependency-graph";

const graph = new DependencyGraph(`digraph {
	compound = "true"
	subgraph "root" {
		"[root] vm.a (expand)" [label = "vm.a", shape = "box"]
		"[root] vm.a (expand)" -> "[root] local.script (expand)"
		"[root] local.script (expand)" -> "[root] workspace_agent.main (expand)"
		"[root] vm.far (expand)" -> "[root] vm.a (expand)"
		"[root] workspace_app.web (expand)" -> "[root] workspace_agent.main (expand)"
		"[root] workspace_agent.main (expand)" -> "[root] provider[\\"a.test/b/c\\"]"
		"[root] provider[\\"a.test/b/c\\"] (close)" -> "[root] workspace_app.web (expand)"
		"[root] module.m.vm.b (expand)" -> "[root] module.m (expand)"
		"[root] module.m (close)" -> "[root] module.m.vm.b (expand)"
	}
}`);
const isVm = (label: string) => label.includes("vm.");

it("knows direct dependencies", () => {
  expect(graph.dependsDirectly("workspace_app.web", "workspace_agent.main")).toBe(true);
  expect(graph.dependsDirectly("vm.a", "workspace_agent.main")).toBe(false);
  expect(graph.dependsDirectly("workspace_agent.main", 'provider["a.test/b/c"]')).toBe(true);
});

it("finds the nearest dependents, through other nodes", () => {
  expect(graph.nearestDependents("workspace_agent.main", isVm)).toEqual(["vm.a"]);
  expect(graph.nearestDependents("vm.far", isVm)).toEqual([]);
});

it("finds the nearest that something depends on", () => {
  expect(graph.nearestDependencies("vm.far", (label) => label.endsWith(".main"))).toEqual([
    "workspace_agent.main",
  ]);
});

it("does not confuse a module's start and end nodes", () => {
  expect(graph.nearestDependents("module.m.vm.b", (label) => label === "module.m")).toEqual([]);
});
